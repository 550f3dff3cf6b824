import { ErrorEnvelope, type ErrorMetadata, type ErrorType, type FieldIssue } from "#contract/errors.ts";

interface ErrorDetails {
  metadata?: ErrorMetadata;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
}

/** The gateway answered, and the answer was a refusal. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** a name of the closed set; undefined when something in between (a proxy) answered */
  readonly type: ErrorType | undefined;
  readonly metadata: ErrorMetadata;
  readonly issues: readonly FieldIssue[];
  readonly requestId: string | undefined;
  /** seconds the server asked to wait */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, details: ErrorDetails = {}) {
    super(message);
    this.status = status;
    this.metadata = details.metadata ?? {};
    this.type = this.metadata.error_type as ErrorType | undefined;
    this.issues = this.metadata.issues ?? [];
    this.requestId = details.requestId ?? this.metadata.request_id;
    this.retryAfter = details.retryAfter;
  }
}

/** What was asked for does not exist, or no longer does. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Nobody is signed in, or no longer. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** No answer arrived, so whether the gateway acted is not known. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly kind: "unreachable" | "timeout";
  /** the same request sent again is done once, whatever became of this one */
  readonly isOnce: boolean;

  constructor(kind: "unreachable" | "timeout", isOnce = false) {
    super(kind === "timeout" ? "The gateway did not answer in time." : "The gateway could not be reached.");
    this.kind = kind;
    this.isOnce = isOnce;
  }
}

/** An answer that is not the gateway's: a proxy's error or sign-in page. */
export function foreignAnswer(status: number, details: ErrorDetails = {}): ApiError {
  return new ApiError(
    status,
    `The answer did not come from the gateway (HTTP ${status}); a proxy may be in between.`,
    details,
  );
}

/** Reads a refusal. Anything that is not the envelope still gives an error that says what was seen. */
export async function readError(response: Response, now: Date): Promise<ApiError> {
  const details = {
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfterSeconds(response.headers.get("retry-after"), now),
  };
  const envelope = ErrorEnvelope.safeParse(await response.json().catch(() => undefined));
  if (!envelope.success) return foreignAnswer(response.status, details);
  const { message, metadata } = envelope.data.error;
  return new ApiError(response.status, message, { ...details, metadata: metadata ?? {} });
}

/** `Retry-After` in seconds: both forms of RFC 9110 §10.2.3, a number of seconds or a date. */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
