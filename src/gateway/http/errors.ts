import type { ErrorEnvelope, ErrorType } from "#contract/errors.ts";
import { errorStatus } from "#contract/errors.ts";
import { Refusal } from "../domain/refusal.ts";

/** An error as it leaves: `defect` marks what nobody foresaw, whose cause goes to the log and never into the answer. */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: ErrorEnvelope;
  defect: boolean;
}

/** Fastify's own complaints about a request, in our words. */
const fromFramework: Record<string, { type: ErrorType; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { type: "invalid_request", message: "Content-Type must be application/json" },
  FST_ERR_CTP_BODY_TOO_LARGE: { type: "payload_too_large", message: "The request body is too large" },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    type: "invalid_request",
    message: "The request body is not as long as its Content-Length says",
  },
  FST_ERR_BAD_URL: { type: "invalid_request", message: "The path is not a valid URL path: check its percent-encoding" },
  FST_ERR_MAX_PARAM_LENGTH: { type: "not_found", message: "Nothing is at this path" },
};

/** Turns whatever was thrown into the answer for it: the one place where errors become HTTP. */
export function toErrorAnswer(error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof Refusal) return fromRefusal(error, requestId);
  const known = fromFramework[codeOf(error)];
  if (known !== undefined) return fromRefusal(new Refusal(known.type, known.message), requestId);
  return { ...fromRefusal(new Refusal("server", "Internal error"), requestId), defect: true };
}

function fromRefusal(refusal: Refusal, requestId: string): ErrorAnswer {
  const { retryAfterSeconds, headers, cause: _, ...metadata } = refusal.details;
  const retryAfter = retryAfterSeconds === undefined ? {} : { retry_after: Math.max(1, Math.ceil(retryAfterSeconds)) };
  return {
    status: errorStatus[refusal.type],
    headers: {
      ...(refusal.type === "authentication" ? { "www-authenticate": 'Bearer realm="Gatehouse"' } : {}),
      ...(retryAfter.retry_after === undefined ? {} : { "retry-after": String(retryAfter.retry_after) }),
      ...headers,
    },
    body: {
      error: {
        code: errorStatus[refusal.type],
        message: refusal.message,
        metadata: { error_type: refusal.type, request_id: requestId, ...retryAfter, ...metadata },
      },
    },
    defect: false,
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
