import { isObject, readText, type JsonObject } from "./answer.ts";
import { withoutSecrets } from "./redact.ts";
import type { FailedAnswer, Upstream, UpstreamFailure } from "./provider.ts";

type Reason = UpstreamFailure["reason"];

const byStatus: Readonly<Record<number, Reason>> = {
  401: "credentials",
  402: "payment",
  403: "credentials",
  404: "not_found",
  408: "timeout",
  409: "server",
  413: "payload_too_large",
  425: "server",
  429: "rate_limited",
  498: "overloaded", // Groq: flex capacity exceeded
  503: "overloaded",
  504: "timeout",
  524: "timeout",
  529: "overloaded",
};

/** Failures that another provider may not have. A faulty request fails everywhere. */
const retryable: ReadonlySet<Reason> = new Set<Reason>([
  "rate_limited",
  "overloaded",
  "server",
  "timeout",
  "connection",
  "bad_answer",
  "credentials",
  "payment",
  "not_found",
]);

/**
 * Reads an error answer of any vendor. The shapes met: OpenAI `{error:{message,type,code}}`, Anthropic
 * `{type:"error",error:{type,message}}`, Google `{error:{code,message,status,details}}` (also in an array), Cohere and
 * Mistral `{message}`, FastAPI servers `{detail}`, Ollama `{error:"text"}`.
 */
export function readFailure(upstream: Upstream, answer: FailedAnswer): UpstreamFailure {
  const parsed = parse(answer.body);
  const error = isObject(parsed["error"]) ? parsed["error"] : parsed;
  const code = readText(error["code"]) ?? readText(error["type"]) ?? readText(error["status"]);
  const said =
    readText(error["message"]) ?? readText(parsed["error"]) ?? readDetail(parsed["detail"]) ?? answer.body.trim();
  const reason = reasonOf(answer.status, code ?? "", said);
  return failure(reason, {
    status: answer.status,
    code: code === null ? null : withoutSecrets(upstream, code),
    message: withoutSecrets(upstream, said || `status ${answer.status} without a message`),
    retryAfterSeconds: readRetryAfter(answer.headers) ?? readRetryInfo(error["details"]),
  });
}

/** Failures of vendors during their work. */
const whileWorking: ReadonlySet<Reason> = new Set<Reason>(["timeout", "connection", "bad_answer"]);

/** Statuses with which a proxy in front of a vendor says that it gave up waiting; the vendor may go on. */
const proxiesTimeouts: ReadonlySet<number> = new Set([504, 524]);

/** Whether a status says that the vendor does not do what it was asked to. */
export function isRefusal(status: number): boolean {
  return (status < 200 || status >= 300) && !proxiesTimeouts.has(status);
}

/**
 * A failure without an answer, or with an unusable one.
 * @param rest `mayBill` is true, unless it is said, for one in the vendor's work: without a status, or with one that is
 * no refusal
 */
export function failure(
  reason: Reason,
  rest: Partial<Omit<UpstreamFailure, "reason" | "retryable">> & { message: string },
): UpstreamFailure {
  const { status = null } = rest;
  const mayBill = whileWorking.has(reason) && (status === null || !isRefusal(status));
  return { status, code: null, retryAfterSeconds: null, mayBill, ...rest, reason, retryable: retryable.has(reason) };
}

/** What a status, a code and a message say together. */
export function reasonOf(status: number, code: string, message: string): Reason {
  if (code === "overloaded_error") return "overloaded";
  if (code === "insufficient_quota") return "payment";
  const known = byStatus[status];
  if (status === 400 || status === 413 || status === 422) {
    if (code === "context_length_exceeded" || /context length|too many tokens|maximum.{0,20}tokens/i.test(message))
      return "context_length";
    if (/content_(policy|filter)/.test(code)) return "content_policy";
    // Google answers a wrong key with 400 INVALID_ARGUMENT and the detail API_KEY_INVALID.
    if (/API key not valid/i.test(message)) return "credentials";
  }
  if (known) return known;
  // Neither an answer nor a refusal: an empty 204, or a redirect, which is never followed.
  if (status < 400) return "bad_answer";
  return status >= 500 ? "server" : "invalid_request";
}

function parse(body: string): JsonObject {
  try {
    const value: unknown = JSON.parse(body);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return isObject(first) ? first : {};
  } catch {
    return {};
  }
}

function readDetail(detail: unknown): string | null {
  if (typeof detail === "string") return detail;
  return detail === undefined ? null : JSON.stringify(detail);
}

/** No call waits longer than this, and quotas reset after a day at most; more is a mistake of the vendor's. */
const longestWaitSeconds = 86_400;

/** Retry-After in seconds (RFC 9110 §10.2.3); its date form is ignored, since the vendor's clock is not ours. */
function readRetryAfter(headers: FailedAnswer["headers"]): number | null {
  const ms = Number(one(headers["retry-after-ms"]) ?? Number.NaN);
  if (ms >= 0) return wholeSeconds(ms / 1000);
  const seconds = Number(one(headers["retry-after"]) ?? Number.NaN);
  return seconds >= 0 ? wholeSeconds(seconds) : null;
}

/** Google says when to come back in the body: `{"@type": "…RetryInfo", "retryDelay": "34s"}`. */
function readRetryInfo(details: unknown): number | null {
  if (!Array.isArray(details)) return null;
  for (const entry of details) {
    const match = isObject(entry) ? /^(\d+(?:\.\d+)?)s$/.exec(readText(entry["retryDelay"]) ?? "") : null;
    if (match) return wholeSeconds(Number(match[1]));
  }
  return null;
}

function wholeSeconds(seconds: number): number {
  return Math.min(Math.ceil(seconds), longestWaitSeconds);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
