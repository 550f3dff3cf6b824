import { type ApiType, isConversation } from "#contract/api-type.ts";
import type { CallAttempt, CallRecord } from "#contract/calls.ts";
import type { FeedbackCategory } from "#contract/feedback.ts";
import { counted, formatCount, formatLatency, formatUsd } from "../../format.ts";
import { isVideoJob, reservedMost } from "./attempt-times.ts";

/** USD. A call that came to more is not recorded with more. */
const mostRecorded = 1_000_000;

/** What the call cost, and why it is that: what was counted, what may still be billed, given back or not charged. */
export function chargeLabel(call: CallRecord): string {
  const { cost, byok_cost: byok, overrun, priced } = call;
  const said = [cost > 0 ? sharedWords(call) : byok > 0 ? "Nothing was charged here." : uncharged(call)];
  if (byok > 0) said.push(byokWords(call), "Limits that count BYOK usage include it.");
  if (cost + byok > 0 && !priced) said.push("This leaves out what was served without a price.");
  if (overrun > 0) {
    const beyond = `${exactly(overrun)} more than was reserved and more than the limit had room for`;
    said.push(`The call came to ${beyond}; that part was not charged.`);
  }
  if (Math.max(cost, byok) >= mostRecorded) {
    said.push(`A call is recorded at ${formatUsd(mostRecorded)} at most: check the model's prices.`);
  }
  return said.join(" ");
}

/** What was charged for the gateway's own provider keys. */
function sharedWords({ attempts, cost, metered_by: meter }: CallRecord): string {
  const { usd, names, why } = silentOf(attempts, false);
  const rest = toNano(cost - usd);
  const counter =
    meter === "upstream" ? "by the provider's count" : "by the gateway's count, since the provider gave no usable one";
  if (usd === 0) {
    const isReleased = (reservedMost(attempts) ?? 0) > cost;
    return `${exactly(cost)} was charged, ${counter}${isReleased ? "; the rest of the reservation was released" : ""}.`;
  }
  const most = `the most that ${names} may bill: ${why}`;
  if (rest <= 0) return `${exactly(cost)} was charged, ${most}.`;
  return `${exactly(cost)} was charged: ${exactly(rest)} ${counter}, and ${exactly(usd)}, ${most}.`;
}

/** What the workspace's own provider keys are billed. */
function byokWords({ attempts, byok_cost: byok }: CallRecord): string {
  const { usd, names, why } = silentOf(attempts, true);
  const rest = toNano(byok - usd);
  if (usd === 0) return `Your own provider key was used, for about ${exactly(byok)} at the provider.`;
  if (rest <= 0) return `Your own provider key was used, and ${names} may bill it up to ${exactly(byok)}: ${why}.`;
  return `Your own provider key was used, for about ${exactly(rest)} at the provider, and ${names} may bill up to ${exactly(usd)} more: ${why}.`;
}

/** Whether a call's whole cost is what providers may bill that gave no usable answer: no tokens were counted. */
export function isAllUnread({ attempts, cost, byok_cost: byok }: CallRecord): boolean {
  const unread = silentOf(attempts, false).usd + silentOf(attempts, true).usd;
  return unread > 0 && attempts.every(({ error }) => error !== null) && toNano(cost + byok - unread) <= 0;
}

/** Whether no provider was sent anything, since all of the answer was known. */
export function isAllCached({
  attempts,
  cached_inputs: cached,
  response_cache_source_id: source,
}: CallRecord): boolean {
  return source !== null || (attempts.length === 0 && cached > 0);
}

/**
 * Whether a provider was sent the call that did not refuse, and that did not say either what the call came to. A video's
 * job that was accepted and then failed costs nothing.
 */
export function isUnreported({ attempts, api_type: type }: CallRecord): boolean {
  return attempts.some(
    ({ status, error, sent }) =>
      error !== null && sent !== false && (status === null || (status < 400 && type !== "videos")),
  );
}

/** Why nothing was charged, neither here nor to an own key. */
function uncharged(call: CallRecord): string {
  const { attempts, is_byok: isByok, overrun, priced, status } = call;
  if (status >= 400) {
    return isUnreported(call)
      ? "Nothing was charged: the call failed and no provider reported any usage. One that had begun to work on it may still bill it."
      : attempts.length > 0 && attempts.every(({ sent }) => sent === false)
        ? "Nothing was charged: the call was not sent to any provider."
        : "Nothing was charged: the call failed.";
  }
  if (call.response_cache_source_id !== null) return "Nothing was charged: the answer came from the response cache.";
  if (isAllCached(call)) return "Nothing was charged: everything came from the cache.";
  if (isByok && !priced)
    return "Nothing was charged here: your own provider key was used. The model had no price when the call was made, so its cost at the provider is not known.";
  if (!priced) return "Nothing was charged: the model had no price when the call was made.";
  if (overrun > 0) return "Nothing was charged: the limit had no room left.";
  return "Nothing was charged: the call cost nothing at the model's price.";
}

/** What those may bill that took the call and gave no usable answer, with the gateway's keys or the workspace's own. */
function silentOf(attempts: readonly CallAttempt[], byok: boolean) {
  const silent = attempts.filter((attempt) => attempt.cost !== undefined && attempt.is_byok === byok);
  const names = [...new Set(silent.map(({ provider }) => provider))];
  const usd = toNano(silent.reduce((sum, attempt) => sum + (attempt.cost ?? 0), 0));
  const why = `${names.length > 1 ? "each" : "it"} took the call and gave no usable answer`;
  return { usd, names: list.format(names), why };
}

const list = new Intl.ListFormat("en", { type: "conjunction" });
const exactly = (usd: number) => formatUsd(usd, { exact: true });
/** Sums of dollars to the billionth, as the ledger has them. */
const toNano = (usd: number) => Math.round(usd * 1e9) / 1e9;

/** What did not have to be sent to a vendor; undefined where everything was. */
export function savedLabel(call: CallRecord): string | undefined {
  const { saved, inputs, cached_inputs: cached, cached_tokens: tokens, prompt_tokens: all } = call;
  if (call.response_cache_source_id !== null) {
    return `The response cache had the answer to an equal call, which saved ${exactly(saved)}.`;
  }
  if (cached === 0 && saved === 0) return undefined;
  if (cached === 0 && tokens > 0)
    return `The provider read ${formatCount(tokens)} of ${formatCount(all)} input tokens from its cache, which saved ${exactly(saved)}.`;
  const which = inputs > 1 ? `${formatCount(cached)} of ${formatCount(inputs)} inputs` : "The input";
  return `${which} came from the cache or occurred more than once, which saved ${exactly(saved)}.`;
}

/**
 * What one candidate did: "500 after 12 ms", "no answer in 30 s".
 * @param isJob it was asked for a job, which goes on after its answer
 */
export function attemptLabel({ status, latency_ms: ms, error, sent }: CallAttempt, isJob = false): string {
  if (error === null) return `${isJob ? "accepted the job" : "answered"} in ${formatLatency(ms)}`;
  if (sent === false) return `nothing was sent, given up after ${formatLatency(ms)}`;
  if (status === null) return `no complete answer in ${formatLatency(ms)}`;
  if (isJob && status < 400) return `accepted the job, which ended without a video after ${formatLatency(ms)}`;
  return status < 400 ? `no usable answer in ${formatLatency(ms)}` : `${status} after ${formatLatency(ms)}`;
}

/** Errors that end a call, whichever other providers could have been tried. */
const ends = /^the (caller left|gateway (stopped|had|met))/;

/** What came of a candidate that did not serve. */
export function passedOverLabel(
  { attempts, status, api_type }: CallRecord,
  index: number,
  nameOf = (slug: string) => slug,
): string {
  const attempt = attempts[index];
  if (isVideoJob({ api_type }) && (attempt?.status ?? 400) < 400) return "so no video was made";
  if (attempt?.error && ends.test(attempt.error)) return "which ended the call";
  const { provider, model, is_byok: byok } = attempt ?? {};
  const isOther = (next: CallAttempt) => next.provider !== provider || next.model !== model || next.is_byok !== byok;
  const next = attempts.slice(index + 1).find(isOther);
  if (next === undefined)
    return status === 499
      ? "the caller left before another provider was tried"
      : status >= 400
        ? "no other provider was tried after it, so the call failed"
        : "passed over";
  if (next.provider !== provider) return `passed over for ${nameOf(next.provider)}`;
  if (next.model !== model) return `passed over for ${next.model}`;
  return next.is_byok ? "then tried with your own provider key" : "then tried with the gateway's key";
}

/** How many calls to providers a call made. */
export function triesOf({ attempts }: CallRecord): number {
  return attempts.reduce((sum, attempt) => sum + 1 + (attempt.left_out ?? 0), 0);
}

/** Whether the counts of a call's tokens say nothing, since no provider that may bill it counted them. */
export function hasUnknownTokens(call: CallRecord): boolean {
  const nothingCounted = call.status >= 400 && call.prompt_tokens === 0 && call.completion_tokens === 0;
  return isAllUnread(call) || (nothingCounted && isUnreported(call));
}

/** "1,200 characters", "13 seconds", "2 images": what a call is billed by besides tokens and requests; null: nothing else. */
export function unitLabel({ unit, units }: Pick<CallRecord, "unit" | "units">): string | null {
  return unit === null || units === null ? null : counted(Math.ceil(units), unit);
}

/** The operations that calls are made by. */
export const apiNames: Readonly<Record<ApiType, string>> = {
  embeddings: "Embeddings",
  rerank: "Rerank",
  completions: "Chat completions",
  messages: "Messages",
  responses: "Responses",
  speech: "Speech",
  transcriptions: "Transcriptions",
  images: "Images",
  videos: "Videos",
};

/** "12 in, 340 out", or of other calls than conversations "12"; null: not known. */
export function tokenLabel(call: CallRecord): string | null {
  const { api_type: type, prompt_tokens: prompt, completion_tokens: completion } = call;
  if (hasUnknownTokens(call) && prompt + completion === 0) return null;
  return isConversation(type) ? `${formatCount(prompt)} in, ${formatCount(completion)} out` : formatCount(prompt);
}

/** What a call answered, where no text of it is kept. */
export function withoutText({ status, api_type: type }: CallRecord): string {
  if (status >= 400) return "No answer.";
  if (type === "embeddings") return "Vectors, which are not kept.";
  return type === "rerank" ? "Scores, which are not kept." : "No text.";
}

export const feedbackLabels: Readonly<Record<FeedbackCategory, string>> = {
  incorrect_response: "Wrong answer",
  incoherence: "Incoherent answer",
  formatting: "Wrong format",
  latency: "Too slow",
  api_error: "API error",
  billing: "Wrong charge",
  other: "Something else",
};
