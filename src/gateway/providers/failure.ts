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

/**
 * A request that is too long, in the words of OpenAI, Anthropic, Google, Mistral, Cohere, Groq, xAI, Bedrock, Moonshot,
 * MiniMax, Together, Fireworks, Cerebras, llama.cpp, Ollama, LM Studio, text-generation-inference and vLLM. An answer's own
 * maximum that is too large is none.
 */
const tooLong =
  /context[ _-]?(length|window|size|limit)|(prompt|input|request)[^.]{0,20} too (long|large)|too many (input )?tokens|(input|prompt)( token)?[^.]{0,60} exceed|exceed[^.]{0,40} (model token limit|maximum (number of tokens|prompt|input|length))|maximum (prompt|input|sequence|context) length|maximum.{0,20}tokens|reduce the length of the (messages|prompt|input)|must have less than \d+ tokens|_ tokens \+ _ must be|range of input length|current length is \d+ while limit|prompt contains \d+ tokens|tokens to keep from the initial prompt/i;
/** What a vendor's account has no money or no permission for: the caller's request is as good at another provider. */
const unpaid =
  /credit balance|(insufficient|not enough|exhausted|depleted)[^.]{0,30} (balance|credits?|funds|quota)|(balance|credits?|funds)[^.]{0,40} (insufficient|depleted|exhausted|too low|used up)|insufficient balance|used all available credits|(spend(ing)?|billing|usage|budget|cost)( hard)? (limits?|cap)[^.]{0,30} (reached|exceeded|hit)|(reached|reaching|exceeded|hit)[^.]{0,60} (spend(ing)?|billing|usage|budget|cost)( hard)? (limits?|cap)|reached your specified API usage|billing (is )?(not (active|enabled)|disabled)|requires billing|past[- ]due|unpaid|payment required|failure to pay|in arrears|overdue/i;
const unpaidCodes =
  /^(insufficient_(quota|balance|credits|funds)|billing_\w+|credit_balance_exhausted|exceeded_current_quota_error|payment_required|spend_limit\w*|arrearage)$/i;
const disabled =
  /(account|organi[sz]ation|project|team|workspace|api[ _]key)[^.]{0,40} (has been |was |is |been )?(disabled|suspended|restricted|deactivated|blocked|banned|revoked|terminated|expired)|(disabled|suspended|deactivated|expired|revoked|blocked)[^.]{0,20} (account|organi[sz]ation|api[ _]key)|api[ _]key (not valid|expired|invalid)|(invalid|incorrect|expired) api[ _]key|(location|country|region) is not supported/i;
const disabledCodes =
  /^(organization_restricted|account_(deactivated|suspended|disabled)|blocked_api_access|invalid_api_key|api_key_(invalid|expired)|access_terminated)$/i;
const unknownModel =
  /model:? ?[\w./:@-]* ?(does not exist|doesn't exist|not found|is not (found|available|supported)\b(?! with)|has been (decommissioned|deprecated|retired|removed)|(is )?no longer (available|supported))|(unknown|invalid|no such|unsupported) model\b(?! parameter)|(not found|unknown): model/i;
const unknownModelCodes =
  /^(model_(not_found|decommissioned|not_available|not_supported)|invalid_model|unknown_model)$/i;

/** OpenAI, Azure; DashScope; Zhipu (https://docs.z.ai/api-reference/api-code) */
const unsafeCodes = /content_(policy|filter)|^data_inspection_failed$|^1301$/i;

/** Characters of a message in which a vendor has said what is wrong. */
const longestWords = 1_000;
const quoted = /(?<!\w)(['"`])(?:(?!\1)[^])*\1(?!\w)/g;

/** A message without what it quotes, which may be the caller's: nobody can put words into a vendor's mouth. */
function ownWords(message: string): string {
  return message.slice(0, longestWords).replaceAll(quoted, "_");
}

/** What a status, a code and a message say together. */
export function reasonOf(status: number, code: string, said: string): Reason {
  const message = ownWords(said);
  if (code === "overloaded_error") return "overloaded";
  // Groq's 413 of a request that is beyond the tokens of a minute.
  if (code === "rate_limit_exceeded") return "rate_limited";
  // A vendor's own trouble comes with any status from 400 on, and in any of its words.
  const isRefused = status >= 400 && status < 500;
  if (unpaidCodes.test(code) || (isRefused && unpaid.test(message))) return "payment";
  const known = byStatus[status];
  if (status === 400 || status === 413 || status === 422) {
    if (
      /^(context_length_exceeded|exceed_context_size_error|tokens_limit_reached)$/.test(code) ||
      tooLong.test(message)
    )
      return "context_length";
    if (unsafeCodes.test(code)) return "content_policy";
  }
  if (status === 400 || status === 403 || status === 412 || status === 422) {
    // Google answers a wrong key with 400 INVALID_ARGUMENT and the detail API_KEY_INVALID.
    if (disabledCodes.test(code) || disabled.test(message)) return "credentials";
    if (unknownModelCodes.test(code) || unknownModel.test(message)) return "not_found";
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

/** Retry-After in seconds (RFC 9110 §10.2.3); as a date, by the vendor's own clock as its answer has it. */
function readRetryAfter(headers: FailedAnswer["headers"]): number | null {
  const ms = Number(one(headers["retry-after-ms"]) ?? Number.NaN);
  if (ms >= 0) return wholeSeconds(ms / 1000);
  const said = one(headers["retry-after"])?.trim() ?? "";
  const seconds = said === "" ? Number.NaN : Number(said);
  if (seconds >= 0) return wholeSeconds(seconds);
  const untilMs = Date.parse(said) - Date.parse(one(headers["date"]) ?? "");
  return untilMs >= 0 ? wholeSeconds(untilMs / 1_000) : null;
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
