import { type ErrorEnvelope, type ErrorType, errorStatus, publicErrorType } from "#contract/errors.ts";
import { Refusal } from "../domain/refusal.ts";
import { isStoreAway, storeAway } from "../domain/store-away.ts";

/** An error as it is sent: `defect` marks an unforeseen one, whose cause goes to the log and never into the answer. */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: ErrorEnvelope;
  defect: boolean;
}

/** Fastify's own complaints about a request, in our wording. */
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

/** Converts anything thrown into an answer: the one place where errors become HTTP. */
export function toErrorAnswer(error: unknown, requestId: string): ErrorAnswer {
  const refusal = refusalOf(error);
  if (refusal !== null) return fromRefusal(refusal, requestId);
  return { ...fromRefusal(new Refusal("server", "Internal error"), requestId), defect: true };
}

/** The refusal that an error is answered with; null: it is a defect. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const known = fromFramework[codeOf(error)];
  if (known !== undefined) return new Refusal(known.type, known.message);
  return isStoreAway(error) ? storeAway(error) : null;
}

function fromRefusal(refusal: Refusal, requestId: string): ErrorAnswer {
  const { retryAfterSeconds, headers, availability, report, cause: _, ...metadata } = refusal.details;
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
        metadata: { error_type: publicErrorType(refusal.type), request_id: requestId, ...retryAfter, ...metadata },
        ...(availability === undefined ? {} : { availability }),
      },
      ...report,
    },
    defect: false,
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
