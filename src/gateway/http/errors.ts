import type { FastifyRequest } from "fastify";
import { basePath as apiPath } from "#contract/api.ts";
import type { ErrorForm as ApiErrorForm } from "#contract/endpoint.ts";
import { createOauthToken, type OAuthError, type OAuthErrorCode } from "#contract/federation.ts";
import { type MessagesErrorEnvelope, messagesErrorStatus, messagesErrorType } from "#contract/messages.ts";
import { type ErrorEnvelope, type ErrorType, errorStatus, publicErrorType } from "#contract/errors.ts";
import { scimBasePath, type ScimError, scimMediaType, scimSchemas, type ScimType } from "#contract/scim-protocol.ts";
import { oauthError } from "../domain/federation/exchange.ts";
import { Refusal } from "../domain/refusal.ts";
import { isRepeated } from "./parse.ts";
import { isStoreAway, storeAway } from "../domain/store-away.ts";

/** An error's body in the form of the operation that it is for. */
export type ErrorBody = ErrorEnvelope | MessagesErrorEnvelope | ScimError | OAuthError;

/** The forms that operations of the API have, and that of the SCIM server. */
type ErrorForm = ApiErrorForm | "scim";

/** An error as it is sent: `defect` marks an unforeseen one, whose cause goes to the log and never into the answer. */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
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
export function toErrorAnswer(error: unknown, requestId: string, form: ErrorForm = "public"): ErrorAnswer {
  const refusal = refusalOf(error);
  const answer = { public: fromRefusal, messages: inMessagesForm, scim: inScimForm, oauth: inOAuthForm }[form];
  if (refusal !== null) return answer(refusal, requestId);
  return { ...answer(new Refusal("server", "Internal error"), requestId), defect: true };
}

/** Paths whose errors have a form of their own, whether or not something is served at them. */
const messagesPath = new RegExp(`^${apiPath}/messages(?:[/?]|$)`);

const scimPath = new RegExp(`^${scimBasePath}(?:[/?]|$)`);

const oauthTokenPath = new RegExp(`^${apiPath}${createOauthToken.path}(?:[?]|$)`);

/** The form of the errors at a path; Anthropic's clients read the list of models as well. */
export function errorFormOf(url: string, headers: FastifyRequest["headers"]): ErrorForm {
  if (messagesPath.test(url)) return "messages";
  if (scimPath.test(url)) return "scim";
  if (oauthTokenPath.test(url)) return "oauth";
  return headers["anthropic-version"] !== undefined && url.startsWith(`${apiPath}/models`) ? "messages" : "public";
}

/** https://docs.anthropic.com/en/api/errors */
function inMessagesForm(refusal: Refusal, requestId: string): ErrorAnswer {
  const answer = fromRefusal(refusal, requestId);
  const { report, headers, messagesDetails } = refusal.details;
  const { error } = answer.body as ErrorEnvelope;
  return {
    ...answer,
    status: messagesErrorStatus(refusal.type),
    headers: { "request-id": requestId, ...answer.headers },
    body: {
      type: "error",
      error: {
        type: messagesErrorType(refusal.type),
        message: refusal.message,
        error_type: publicErrorType(refusal.type),
        ...(messagesDetails === undefined ? {} : { details: messagesDetails }),
      },
      request_id: headers?.["x-generation-id"] ?? requestId,
      metadata: error.metadata,
      ...report,
    },
  };
}

/** RFC 7644 §3.12 */
function inScimForm(refusal: Refusal, requestId: string): ErrorAnswer {
  const { headers } = fromRefusal(refusal, requestId);
  const given = refusal.details["scimType"] as ScimType | undefined;
  const scimType = given ?? (refusal.status === 400 ? "invalidSyntax" : undefined);
  return {
    status: refusal.status,
    headers: { "content-type": scimMediaType, ...headers },
    body: {
      schemas: [scimSchemas.error],
      status: String(refusal.status),
      ...(scimType === undefined ? {} : { scimType }),
      detail: refusal.message,
    },
    defect: false,
  };
}

/** RFC 6749, section 5.2. Descriptions have no character that it forbids. */
function inOAuthForm(refusal: Refusal, requestId: string): ErrorAnswer {
  const { status, headers } = fromRefusal(refusal, requestId);
  const error_description = refusal.message.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, "?");
  return { status, headers, body: { error: oauthErrorOf(refusal), error_description }, defect: false };
}

const wrongParameters: Readonly<Record<string, OAuthErrorCode>> = {
  grant_type: "unsupported_grant_type",
  scope: "invalid_scope",
};

function oauthErrorOf({ status, details }: Refusal): OAuthErrorCode {
  const given = details[oauthError] as OAuthErrorCode | undefined;
  if (given !== undefined) return given;
  if (status === 500) return "server_error";
  if (status === 429 || status === 503) return "temporarily_unavailable";
  const [first] = details.issues ?? [];
  const isAbsentOrRepeated = first?.message === "is required" || first?.message === isRepeated;
  const wrong = first === undefined || isAbsentOrRepeated ? undefined : wrongParameters[first.path];
  return wrong ?? "invalid_request";
}

/** The refusal that an error is answered with; null: it is a defect. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const known = fromFramework[codeOf(error)];
  if (known !== undefined) return new Refusal(known.type, known.message);
  return isStoreAway(error) ? storeAway(error) : null;
}

function fromRefusal(refusal: Refusal, requestId: string): ErrorAnswer {
  const {
    retryAfterSeconds,
    headers,
    availability,
    report,
    messagesDetails: __,
    cause: _,
    ...metadata
  } = refusal.details;
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

/** Whether Fastify refused a body for its media type: the route knows which it takes. */
export const isWrongType = (error: unknown): boolean => codeOf(error) === "FST_ERR_CTP_INVALID_MEDIA_TYPE";

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
