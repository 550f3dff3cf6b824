import * as z from "zod/mini";

/** The closed set of errors, each with exactly one HTTP status. */
export const errorStatus = {
  invalid_request: 400,
  context_length_exceeded: 400,
  content_policy_violation: 400,
  authentication: 401,
  payment_required: 402,
  permission_denied: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  gone: 410,
  payload_too_large: 413,
  unprocessable: 422,
  rate_limit_exceeded: 429,
  server: 500,
  provider_unavailable: 502,
  provider_busy: 503,
  unavailable: 503,
  timeout: 524,
  provider_overloaded: 529,
} as const;

export type ErrorType = keyof typeof errorStatus;
/** Errors that the public API's `error.metadata.error_type` names differently, or not at all. */
const publicNames: Partial<Record<ErrorType, string>> = {
  method_not_allowed: "invalid_request",
  request_timeout: "timeout",
  conflict: "precondition_failed",
  gone: "not_found",
  provider_busy: "provider_overloaded",
  unavailable: "server",
};

/** The value of `error.metadata.error_type` for an error. */
export function publicErrorType(type: ErrorType): string {
  return publicNames[type] ?? type;
}

export type ErrorStatus = (typeof errorStatus)[ErrorType];
/** With the status that one dialect has instead of 524. */
export type AnsweredStatus = ErrorStatus | 504;

/** One invalid place in a request: where it is, and what would be valid. */
export const FieldIssue = z.object({
  /** dotted path from the request's root: `limit`, `config.baseUrl`, `input.3.content.0`; empty for the whole body */
  path: z.string(),
  message: z.string(),
});
export type FieldIssue = z.infer<typeof FieldIssue>;

export const ErrorMetadata = z.looseObject({
  error_type: z.optional(z.string()),
  request_id: z.optional(z.string()),
  issues: z.optional(z.array(FieldIssue)),
});
export type ErrorMetadata = z.infer<typeof ErrorMetadata>;

/** The body of every error answer. `error.code` equals the HTTP status. */
export const ErrorEnvelope = z.object({
  error: z.object({
    code: z.int(),
    message: z.string(),
    metadata: z.optional(z.nullable(ErrorMetadata)),
    /** of a model call that no provider could serve: why, and whether a retry may help */
    availability: z.optional(z.looseObject({ code: z.string(), retryable: z.boolean() })),
  }),
  openrouter_metadata: z.optional(z.nullable(z.looseObject({}))),
  service_metadata: z.optional(z.nullable(z.looseObject({}))),
  user_id: z.optional(z.nullable(z.string())),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;
