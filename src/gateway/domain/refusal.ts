import type * as z from "zod/mini";
import { fieldIssues, sentence } from "#contract/validation-messages.ts";
import { errorStatus, type ErrorStatus, type ErrorType, type FieldIssue } from "#contract/errors.ts";

/** Why no provider could serve a model call, in the public API's terms. */
export interface Availability extends Record<string, unknown> {
  code: "model_not_found" | "wrong_endpoint" | "constraint_filtered" | "privacy_restricted";
  retryable: boolean;
  requested_models: readonly string[];
  docs_url: string;
  affected_providers?: readonly string[];
  excluded_by?: readonly string[];
}

/** What may accompany a refusal; all of it becomes `error.metadata`, except where noted. */
export interface RefusalDetails {
  issues?: FieldIssue[];
  /** seconds; becomes the Retry-After header as well */
  retryAfterSeconds?: number;
  /** response headers, in lower case; they stay out of the metadata */
  headers?: Record<string, string>;
  /** a sibling of `error.code` */
  availability?: Availability;
  /** `error.details` of Anthropic's form, which its clients act on; not in the metadata */
  messagesDetails?: Record<string, unknown>;
  /** how the call was routed; its members become siblings of `error` */
  report?: { service_metadata?: Record<string, unknown>; openrouter_metadata?: Record<string, unknown> };
  [member: string]: unknown;
}

/** The one error that the domain, relay and providers throw on purpose. Anything else is a defect and answers 500. */
export class Refusal extends Error {
  readonly type: ErrorType;
  readonly details: RefusalDetails;

  constructor(type: ErrorType, message: string, details: RefusalDetails = {}) {
    super(message);
    this.name = "Refusal";
    this.type = type;
    this.details = details;
  }

  get status(): ErrorStatus {
    return errorStatus[this.type];
  }
}

/** A 400 that names the member and what would be valid: `limit must be 0 or more`. */
export function invalid(path: string, message: string, details: RefusalDetails = {}): Refusal {
  return new Refusal("invalid_request", path ? `${path} ${message}` : message, {
    ...details,
    issues: [{ path, message }],
  });
}

/** A 400 for a schema's issues. */
export function invalidMembers(found: readonly z.core.$ZodIssue[]): Refusal {
  const wrong = fieldIssues(found);
  return new Refusal("invalid_request", sentence(wrong, "The request body"), { issues: wrong.issues });
}

export function notFound(what: string): Refusal {
  return new Refusal("not_found", what);
}
