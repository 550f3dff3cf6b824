import { errorStatus, type ErrorStatus, type ErrorType, type FieldIssue } from "#contract/errors.ts";

/** What may accompany a refusal; it all becomes `error.metadata`. */
export interface RefusalDetails {
  issues?: FieldIssue[];
  /** seconds; becomes the Retry-After header as well */
  retryAfterSeconds?: number;
  /** response headers, in lower case; they stay out of the metadata */
  headers?: Record<string, string>;
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

/** A 400 that names the member and what would be right: `limit must be 0 or more`. */
export function invalid(path: string, message: string, details: RefusalDetails = {}): Refusal {
  return new Refusal("invalid_request", path ? `${path} ${message}` : message, {
    ...details,
    issues: [{ path, message }],
  });
}

export function notFound(what: string): Refusal {
  return new Refusal("not_found", what);
}
