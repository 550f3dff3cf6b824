import type { CallAttempt, CallRecord } from "#contract/calls.ts";
import { formatCount, formatLatency, formatUsd } from "../../format.ts";

/** What the call cost, and why it is that: what was reserved, counted, given back or not charged. */
export function chargeWords(call: CallRecord): string {
  const { cost, byok_cost: byok, overrun, is_byok: isByok, priced, status } = call;
  if (!priced) return "Nothing was charged: the model had no price when the call was made.";
  if (isByok)
    return `Nothing was charged here: your own provider key was used, for about ${formatUsd(byok)} at the vendor.`;
  if (cost === 0 && status >= 400)
    return "Nothing was charged: the call failed, and what had been reserved for it was given back.";
  const counted =
    call.metered_by === "upstream" ? "by the vendor's count" : "by the gateway's count, as the vendor gave none";
  const beyond =
    overrun === 0
      ? ""
      : ` The vendor's count came to ${formatUsd(overrun)} more than was reserved and than the limit had room for; that part was not charged.`;
  if (cost === 0 && overrun === 0) return "Nothing was charged: the call came to nothing at the model's price.";
  return `${formatUsd(cost)} was charged, ${counted}; what had been reserved beyond that was given back.${beyond}`;
}

/** What did not have to be sent to a vendor; undefined where everything was. */
export function savedWords({ saved, inputs, cached_inputs: cached }: CallRecord): string | undefined {
  if (cached === 0 && saved === 0) return undefined;
  const which = inputs > 1 ? `${formatCount(cached)} of ${formatCount(inputs)} inputs` : "The input";
  return `${which} came from the cache or occurred more than once, which saved ${formatUsd(saved)}.`;
}

/** What one candidate did: "500 after 12 ms", "no answer in 30 s". */
export function attemptWords({ status, latency_ms: ms, error }: CallAttempt): string {
  if (status === null) return `no answer in ${formatLatency(ms)}`;
  return error === null ? `answered in ${formatLatency(ms)}` : `${status} after ${formatLatency(ms)}`;
}

/** What came of a candidate that did not serve. */
export function passedOverWords(call: CallRecord, index: number): string {
  const next = call.attempts[index + 1];
  if (next !== undefined) return `passed over for ${next.provider}`;
  return call.status >= 400 ? "nobody was left, so the call failed" : "passed over";
}

/** "12 in, 340 out", or for embeddings "12". */
export function tokenWords({
  api_type: type,
  prompt_tokens: prompt,
  completion_tokens: completion,
}: CallRecord): string {
  return type === "embeddings" ? formatCount(prompt) : `${formatCount(prompt)} in, ${formatCount(completion)} out`;
}
