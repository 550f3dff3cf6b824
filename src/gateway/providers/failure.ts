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
  410: "not_found", // NVIDIA and Azure: a model that has reached its end of life
  413: "payload_too_large",
  424: "server", // Bedrock: the model failed
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
 * Mistral `{message}`, FastAPI servers and ElevenLabs `{detail}`, Ollama `{error:"text"}`, Cloudflare
 * `{errors:[{code,message}]}`, MiniMax `{base_resp:{status_code,status_msg}}`.
 */
export function readFailure(upstream: Upstream, answer: FailedAnswer): UpstreamFailure {
  const parsed = parse(answer.body);
  const found = errorIn(parsed);
  const error = found ?? parsed;
  const { code, codes, message } = wordsOf(error);
  const said = message ?? readText(parsed["error"]) ?? readDetail(parsed["detail"]) ?? answer.body.trim();
  const status = answer.status === 200 && found !== null ? statusIn(found) : answer.status;
  return failure(reasonOf(status, codes, said), {
    status: answer.status,
    code: code === null ? null : withoutSecrets(upstream, code),
    message: withoutSecrets(upstream, said || `status ${answer.status} without a message`),
    retryAfterSeconds: readRetryAfter(answer.headers) ?? readRetryInfo(error) ?? readWait(said),
  });
}

/**
 * The error in a vendor's answer or event, whatever status it came with; null: it has none. A text is its message.
 * vLLM's older versions stream `{object:"error",message,code}`, DashScope and SiliconFlow `{code,message}`.
 */
export function errorIn(parsed: JsonObject): JsonObject | null {
  const { error, errors, base_resp: base, detail, object } = parsed;
  if (isObject(error)) return error;
  if (typeof error === "string" && error !== "") return { ...parsed, message: error };
  const isCoded = typeof parsed["code"] === "string" || typeof parsed["code"] === "number";
  const isRefusal = isCoded && typeof parsed["message"] === "string" && parsed["choices"] === undefined;
  if (object === "error" || isRefusal) return parsed;
  if (isObject(base) && base["status_code"] !== 0 && base["status_code"] !== undefined)
    return { status: miniMaxStatuses.get(base["status_code"]) ?? 500, message: base["status_msg"] };
  if (isObject(detail) && typeof detail["message"] === "string") return { ...detail, code: detail["status"] };
  const first: unknown = Array.isArray(errors) ? errors[0] : null;
  return isObject(first) && typeof first["message"] === "string" ? first : null;
}

/** https://platform.minimax.io/docs/api-reference/errorcode */
const miniMaxStatuses: ReadonlyMap<unknown, number> = new Map([
  [1001, 504],
  [1002, 429],
  [1004, 401],
  [1008, 402],
  [1026, 400],
  [1027, 400],
  [1039, 400],
  [1041, 429],
  [2013, 400],
  [2045, 429],
  [2049, 401],
  [2056, 402],
]);

/** A failure in a vendor's event or answer that came with status 200, for which the error itself has to say its status. */
export function failureWithin(error: unknown): UpstreamFailure {
  const { code, codes, message } = wordsOf(isObject(error) ? error : { message: error });
  const said = message || "the provider broke off without a message";
  return failure(reasonOf(statusIn(error), codes, said), { message: said.slice(0, 500), code });
}

/** The status that an error within an answer of 200 says, in a number or by the name of its kind. */
export function statusIn(error: unknown): number {
  if (!isObject(error)) return 500;
  const said = [error["code"], error["status"], error["http_code"], error["status_code"], error["type"]];
  for (const each of said) {
    const status = statusNames.get(String(each)) ?? Number(each);
    if (status >= 400 && status < 600) return status;
  }
  return 500;
}

/** What the names of errors would have been answered with before a stream began: OpenAI, Anthropic, Google, vLLM. */
const statusNames: ReadonlyMap<string, number> = new Map([
  ["rate_limit_exceeded", 429],
  ["rate_limit_error", 429],
  ["insufficient_quota", 429],
  ["RESOURCE_EXHAUSTED", 429],
  ["overloaded_error", 529],
  ["service_unavailable_error", 503],
  ["UNAVAILABLE", 503],
  ["timeout_error", 504],
  ["DEADLINE_EXCEEDED", 504],
  ["billing_error", 402],
  ["authentication_error", 401],
  ["UNAUTHENTICATED", 401],
  ["permission_error", 403],
  ["PERMISSION_DENIED", 403],
  ["not_found_error", 404],
  ["NOT_FOUND", 404],
  ["request_too_large", 413],
  ["invalid_request_error", 400],
  ["BadRequestError", 400],
  ["context_length_exceeded", 400],
  ["invalid_prompt", 400],
  ["INVALID_ARGUMENT", 400],
  ["FAILED_PRECONDITION", 400],
]);

/** What an error is called, its code alone and all its names, and what it says. */
function wordsOf(error: JsonObject): { code: string | null; codes: string; message: string | null } {
  const { details } = error;
  const reasons = (Array.isArray(details) ? details : []).map((each) => isObject(each) && each["reason"]);
  const names = [error["code"], error["type"], error["status"], ...reasons].filter((name) => typeof name === "string");
  return { code: names[0] ?? null, codes: names.slice(0, 8).join(" "), message: readText(error["message"]) };
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

/** A pattern of alternatives, any of which may be in a vendor's words. */
const anyOf = (...patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => `(?:${source})`).join("|"), "i");

/**
 * A request that is too long, in the words of OpenAI, Anthropic, Google, Mistral, Cohere, Groq, xAI, Bedrock, Moonshot,
 * MiniMax, Zhipu, Volcengine, Voyage, Together, Fireworks, Cerebras, llama.cpp, Ollama, LM Studio,
 * text-generation-inference and vLLM. An answer's own maximum that is too large is none.
 */
const tooLong = anyOf(
  /context[ _-]?(length|window|size|limit)|context (is too long|shift is disabled)/,
  /(prompt|input|request|message)[^.]{0,20} too (long|large)|prompt 超长/,
  /too many (input )?tokens(?!: max tokens)|request body too large[^.]{0,40}\. max size: \d+ tokens/,
  /(input|prompt)( token)?[^.]{0,60} exceed|exceed[^.]{0,40} (model token limit|maximum (number of tokens|prompt|input))/,
  /number of tokens[^.]{0,40} exceed|tokens[^.]{0,40} exceed[^.]{0,20}max message tokens/,
  /maximum (prompt|input|sequence|context|model) length|maximum (allowed )?(number of )?(token size|input tokens|prompt tokens)/,
  /max(imum)?[ _](seq(uence)?[ _]len(gth)?|allowed tokens)|does not support more than \d+ tokens/,
  /reduce the length of the (messages|prompt|input)|(reduce|decrease)[^.]{0,20} input (token count|length)/,
  /must have less than \d+ tokens|_ tokens \+ _ must be|length of the input text/,
  /range of input length|current length is \d+ while limit|prompt contains \d+ tokens|expected maxLength: \d+, actual/,
  /tokens to keep from the initial prompt|keep the first \d+ tokens/,
  /invalid _: string too long\. [^.]*maximum length \d{6,}/,
);
const tooLongCodes =
  /^(context_length_exceeded|exceed_context_size_error|tokens_limit_reached|model_max_prompt_tokens_exceeded|1261|3051)$/;
/** What a vendor's account has no money or no permission for: the caller's request is as good at another provider. */
const unpaid = anyOf(
  /credit balance|insufficient balance|used all available credits|credit limit exceeded/,
  /(insufficient|not enough|exhausted|depleted)[^.]{0,30} (balance|credits?|funds|quota)|quota of \d+/,
  /(balance|credits?|funds)[^.]{0,40} (insufficient|depleted|exhausted|too low|used up)/,
  /(doesn't|does not|don't|do not) have (any|enough|sufficient) (credits?|funds|balance)|(run |ran )?out of (credits?|funds)/,
  /(add|purchase|buy)( more)? (credits?|funds)\b|top[ -]?up your|please (top[ -]?up|recharge)|余额不足|欠费|请充值/,
  /(spend(ing)?|billing|usage|budget|cost)( hard)? (limits?|cap)[^.]{0,30} (reached|exceeded|hit)/,
  /(reached|reaching|exceeded|hit)[^.]{0,60} (spend(ing)?|billing|usage|budget|cost)( hard)? (limits?|cap)/,
  /reached your specified API usage|free tier[^.]{0,40} (exhausted|not available)/,
  /billing (is )?(not (active|enabled)|disabled)|(requires|enable) billing|payment (method )?required|payment method/,
  /past[- ]due|unpaid|failure to pay|in arrears|overdue|account is in good standing/,
);
const unpaidCodes =
  /^(insufficient_(quota|balance|credits|funds)|billing_\w+|credit_(balance_exhausted|limit)|exceeded_current_quota_error|quota_exceeded|payment_required|spend_limit\w*|arrearage|accountoverdueerror|allocationquota\.freetieronly|1113)$/i;
/** A share of a plan that is used up and comes back by itself: Zhipu's, https://docs.z.ai/api-reference/api-code */
const comesBack = /usage limit[^.]{0,60}(?:\. )?[^.]{0,40}\b(?:reset|try again)/i;
const comesBackCodes = /^13(0[2-5]|08|1[0-3])$/;
const disabled = anyOf(
  /(account|organi[sz]ation|project|team|workspace|api[ _-]key)[^.]{0,40} (has been |was |is |been )?(disabled|suspended|restricted|deactivated|blocked|banned|flagged|revoked|terminated|expired)/,
  /(disabled|suspended|deactivated|expired|revoked|blocked)[^.]{0,20} (account|organi[sz]ation|api[ _-]key)/,
  /api[ _-]key (not (valid|found)|expired|invalid)|(invalid|incorrect|expired|missing) api[ _-]key/,
  /(security|authentication|access) token[^.]{0,40} (expired|invalid)|身份验证/,
  /(location|country|region) is not supported|organi[sz]ation must be verified|^operation not allowed$|not in good standing/,
);
const disabledCodes =
  /^(organization_restricted|account_(deactivated|suspended|disabled)|blocked_api_access|invalid_?api_?key|api_key_(invalid|expired)|consumer_suspended|access_terminated)$/i;
const unknownModel = anyOf(
  /model:? ?[\w./:@-]* ?(does not exist|doesn't exist|not exist|not found|is not (found|available|supported|accessible)\b(?! with)|is (currently )?not loaded)/,
  /model:? ?[\w./:@-]* ?(has been (decommissioned|deprecated|retired|removed)|(is )?(deprecated and (is )?)?no longer (available|supported))/,
  /model or endpoint [\w./:@-]* ?does not exist|(unknown|invalid|no such|unsupported|unavailable) model\b(?! parameter)/,
  /(not found|unknown): model|not a (valid|supported) model|not a chat model|不存在/,
  /(model|version)[^.]{0,60} reached (its|the) end of (its )?life|model is marked by provider as legacy|model identifier is invalid/,
  /with on-demand throughput isn.t supported|has not activated the model|deployment[^.]{0,30} does not exist|no instances of model/,
);
const unknownModelCodes =
  /^(model_(not_found|decommissioned|not_available|not_supported)|invalid_model|un(known|available)_model|unsupported_api_for_model|deploymentnotfound|modelnotopen|invalidendpointormodel\.\w+|1211)$/i;

/** OpenAI, Azure; DashScope; Zhipu (https://docs.z.ai/api-reference/api-code); Volcengine */
const unsafeCodes =
  /^(content_?(policy|filter)\w*|data_?inspection_?failed|1301|moderation_blocked|\w*_policy_violation|sensitive_words_detected|\w*SensitiveContentDetected[\w.]*)$/i;
/** OpenAI, Anthropic, DeepSeek, xAI, DashScope, MiniMax, and the public API itself */
const unsafe = anyOf(
  /(violat\w+|against) (our |the )?(usage|content|safety) (policy|policies|guidelines)|rejected by the safety system/,
  /blocked by content filtering|content exists risk|inappropriate content|sensitive information|(in|out)put new_sensitive/,
  /requires moderation and your input was flagged/,
);

/** Characters of a message in which a vendor has said what is wrong. */
const longestWords = 1_000;
const quoted = /(?<!\w)(['"`])(?:(?!\1)[^])*\1(?!\w)/g;

/** A message without what it quotes, which may be the caller's: nobody can put words into a vendor's mouth. */
function ownWords(message: string): string {
  return message.slice(0, longestWords).replaceAll(quoted, "_");
}

/**
 * What a status, codes and a message say together.
 * @param code one or several, with blanks between them
 */
export function reasonOf(status: number, code: string, said: string): Reason {
  const message = ownWords(said);
  const codes = code.split(" ");
  const isCode = (pattern: RegExp) => codes.some((each) => pattern.test(each));
  if (isCode(/^(engine_)?overloaded(_error)?$|server_is_overloaded/)) return "overloaded";
  // Groq's 413 of a request that is beyond the tokens of a minute.
  if (isCode(/^rate_limit_exceeded$/)) return "rate_limited";
  if (status === 429 && (isCode(comesBackCodes) || comesBack.test(message))) return "rate_limited";
  // A vendor's own trouble comes with any status from 400 on, and in any of its words.
  const isRefused = status >= 400 && status < 500;
  if (isCode(unpaidCodes) || (isRefused && unpaid.test(message))) return "payment";
  const known = byStatus[status];
  const isFaulty = status === 400 || status === 422;
  // llama.cpp and Ollama answer 500, and an event of a stream need not say.
  if ((isFaulty || status === 413 || status === 500) && (isCode(tooLongCodes) || tooLong.test(message)))
    return "context_length";
  if ((isFaulty || status === 403 || status === 413) && (isCode(unsafeCodes) || unsafe.test(message)))
    return "content_policy";
  if (isFaulty || status === 403 || status === 412) {
    // Google answers a wrong key with 400 INVALID_ARGUMENT and the detail API_KEY_INVALID.
    if (isCode(disabledCodes) || disabled.test(message)) return "credentials";
    if (isCode(unknownModelCodes) || unknownModel.test(message)) return "not_found";
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
  return untilMs >= 0 ? wholeSeconds(untilMs / 1_000) : durationIn(said);
}

/** Google says when to come back in the body: `{"@type": "…RetryInfo", "retryDelay": "34s"}`; others in `retry_after`. */
function readRetryInfo({ details, retry_after: after }: JsonObject): number | null {
  if (typeof after === "number" && after >= 0) return wholeSeconds(after);
  for (const entry of Array.isArray(details) ? details : []) {
    const seconds = isObject(entry) ? durationIn(readText(entry["retryDelay"]) ?? "") : null;
    if (seconds !== null) return seconds;
  }
  return null;
}

/** OpenAI, Azure and Groq: "Please try again in 1m2.5s", "Please retry after 7 seconds". */
function readWait(said: string): number | null {
  const words = /(?:try again|retry) (?:in|after) ((?:\d[\d.]{0,12} ?(?:ms|h|m|s)[a-z]{0,10} ?){1,3})/i.exec(
    ownWords(said),
  );
  return words === null ? null : durationIn(words[1] ?? "");
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600 };

/** `12ms`, `34.5s`, `1m30s`, `7 seconds`; null: no such thing. */
function durationIn(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)? ?(?:ms|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?)?) ?)+$/i.test(text)) return null;
  const parts = text.toLowerCase().matchAll(/(\d+(?:\.\d+)?) ?(ms|s|m|h)/g);
  return wholeSeconds(
    [...parts].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (unitSeconds[unit] ?? 0), 0),
  );
}

function wholeSeconds(seconds: number): number {
  return Math.min(Math.ceil(seconds), longestWaitSeconds);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
