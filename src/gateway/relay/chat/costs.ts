import {
  atRate,
  costOf as priceOf,
  isFree,
  parsePrice,
  type Prices,
  savedByCache,
  type Written,
} from "../../domain/ledger/price.ts";
import { type LongPromptRate, publishedRatesOf } from "../../domain/ledger/published-rates.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { readText } from "../../providers/answer.ts";
import type { Usage } from "../../providers/provider.ts";
import { unknownTiers } from "./bounds.ts";
import { noOutput } from "./output.ts";
import { passageTo } from "./passed.ts";
import type { ChatRequest } from "./request.ts";
import type { ChatRun } from "./run.ts";
import { plainTiers } from "./settings.ts";

type Used = Omit<Usage, "tiers" | "billedNanoUsd" | "searchNanoUsd"> & Rated & { readonly written?: Written };

/** What decides on the rate at which a vendor charges a call. */
interface Rated {
  readonly promptTokens: number;
  /** hundredths of the model's price */
  readonly tier: number;
  /** the vendor says what it bills, its fee for the request among it */
  readonly isBilled: boolean;
}

/** What a request may ask for that costs the model's price at most: a tier, or Anthropic's inference anywhere. */
const isPlain = (asked: unknown) => plainTiers.has(asked) || asked === "global";
const dearTiers = /priority|fast|premium|turbo/i;

/**
 * How dear a call is by the tier that its vendor applied, in hundredths of the model's price.
 * @param tiers as the vendor says them; `unknownTiers`: the dearest that it may apply
 */
export function tierOf(candidate: Candidate, tiers: readonly string[] | undefined, request: ChatRequest): number {
  const { fastTier, unasked } = publishedRatesOf(candidate.model);
  const rates = (tiers ?? []).map((tier) => {
    if (tier !== unknownTiers[0]) return dearTiers.test(tier) ? fastTier : tier === "us" ? usRate : 100;
    const sent = passageTo(candidate, request)?.request.json ?? request.body;
    if (["service_tier", "speed"].some((member) => dearTiers.test(readText(sent[member]) ?? ""))) return fastTier;
    return unasked === null || isPlain(sent[unasked.member]) ? 100 : unasked.rate;
  });
  return Math.max(100, ...rates);
}

/** Of Anthropic's inference in the US alone. */
const usRate = 110;

/** A model's price for the tokens of a call of that length; null: it has none. */
export function pricesFor({ model }: Pick<Candidate, "model">, { promptTokens, tier, isBilled }: Rated): Prices | null {
  const { prices } = model;
  if (prices === null || isFree(prices)) return prices;
  const { request: fee } = publishedRatesOf(model);
  const { prompt, completion } = longPromptRate(model, promptTokens) ?? { prompt: 100, completion: 100 };
  const ofRequest = fee === null || isBilled ? 0n : parsePrice(fee);
  const withFee = ofRequest > prices.request ? { ...prices, request: ofRequest } : prices;
  return atRate(withFee, {
    prompt: Math.ceil((prompt * tier) / 100),
    completion: Math.ceil((completion * tier) / 100),
  });
}

function longPromptRate(model: Candidate["model"], promptTokens: number): LongPromptRate | null {
  return publishedRatesOf(model).longPrompts.findLast(({ above }) => promptTokens > above) ?? null;
}

/** A chat call's cost at a candidate: nano-dollars; 0 at one without a price. */
export function chatCost(candidate: Pick<Candidate, "model">, used: Used, images: number): bigint {
  const prices = pricesFor(candidate, used);
  if (prices === null) return 0n;
  return priceOf(prices, { ...used, images, requests: 1, extra: extraForSound(prices, candidate, used) });
}

/** What sound costs beyond text, 1e-18 USD. */
function extraForSound({ prompt, completion }: Prices, { model }: Pick<Candidate, "model">, used: Used): bigint {
  const { sound } = publishedRatesOf(model);
  const beyond = (price: bigint, share: number, tokens: number, most: number) =>
    (price * BigInt(share - 100) * BigInt(Math.min(tokens, most))) / 100n;
  return (
    beyond(prompt, sound.prompt, used.audioTokens ?? 0, used.promptTokens) +
    beyond(completion, sound.completion, used.audioOutputTokens ?? 0, used.completionTokens)
  );
}

/** What the candidate's vendor did not charge because it had read a part of the prompt before: nano-dollars. */
export function cacheSaving({ request }: ChatRun, candidate: Candidate, usage: Usage): bigint {
  const { promptTokens, cachedTokens = 0, tiers } = usage;
  const prices = pricesFor(candidate, { promptTokens, tier: tierOf(candidate, tiers, request), isBilled: true });
  return prices === null ? 0n : savedByCache(prices, Math.min(cachedTokens, promptTokens));
}

/** The usage that a provider reported for an unusable answer, or else the most that it can have been. */
export function unreadUsage({ bounds, received }: ChatRun, { model }: Candidate, workedMs: number): Usage {
  const { bytes, streamed, usage } = received;
  if (usage !== null) return bounds.believable(usage, model, noOutput);
  return streamed ? bounds.leftBehind(model, bytes, null, workedMs) : bounds.unread(model, workedMs);
}

/**
 * A chat call's cost at a candidate, including writes to the vendor's cache: by the model's price, or what the vendor
 * says it bills if that is more, up to what the call may cost.
 */
export function costOf(run: ChatRun, candidate: Candidate, usage: Usage): bigint {
  const priced = pricedCost(run, candidate, usage);
  const claimed = claimedCost(run, candidate, usage, priced);
  // No one price describes what searches by itself.
  const isClaimed = claimed > 0n && publishedRatesOf(candidate.model).unbounded !== null;
  return isClaimed || claimed > priced ? claimed : priced;
}

function pricedCost({ bounds, prompt, request }: ChatRun, candidate: Candidate, usage: Usage): bigint {
  const written = bounds.written(candidate.model, usage);
  const tier = tierOf(candidate, usage.tiers, request);
  return chatCost(candidate, { ...usage, written, tier, isBilled: usage.billedNanoUsd !== undefined }, prompt.images);
}

/** By the vendor's own bill, or with its fee for searches; 0 where it says neither. */
function claimedCost({ mostCost, policy }: ChatRun, candidate: Candidate, usage: Usage, priced: bigint): bigint {
  const { billedNanoUsd, searchNanoUsd = 0 } = usage;
  const { prices } = candidate.model;
  if (prices === null || isFree(prices) || (billedNanoUsd === undefined && searchNanoUsd === 0)) return 0n;
  const isLimited = policy.accounts.some(({ limits }) => limits.length > 0);
  const claimed = billedNanoUsd === undefined ? priced + BigInt(searchNanoUsd) : BigInt(billedNanoUsd);
  const most = mostCost(candidate) * (isLimited ? 1n : believedTimes);
  return claimed < most ? claimed : most;
}

/** Searches may cost more than all tokens; nothing is reserved for a call without a limit. */
const believedTimes = 16n;

/** Why a call is not charged at the model's price, for its record; null: it is. */
export function rateNote(run: ChatRun, candidate: Candidate, usage: Usage): string | null {
  const { model } = candidate;
  const { prices } = model;
  if (prices === null || isFree(prices)) return null;
  const tier = tierOf(candidate, usage.tiers, run.request);
  const long = longPromptRate(model, usage.promptTokens);
  const { request: fee, sound } = publishedRatesOf(model);
  const isHeard = (usage.audioTokens ?? 0) > 0 && sound.prompt > 100;
  const isSpoken = (usage.audioOutputTokens ?? 0) > 0 && sound.completion > 100;
  const notes = [
    ...(long === null ? [] : [`${shares(long)} for a prompt of more than ${long.above} tokens`]),
    ...(tier === 100 ? [] : [`${times(tier)} the price for ${tierNames(usage).join(" and ")}`]),
    ...(usage.tiers?.includes("flex") === true
      ? ["the full price for the tier flex, which the vendor bills below it"]
      : []),
    ...(isHeard ? [`${times(sound.prompt)} the price of input for sound`] : []),
    ...(isSpoken ? [`${times(sound.completion)} the price of output for sound`] : []),
    ...(fee !== null && usage.billedNanoUsd === undefined && parsePrice(fee) > prices.request
      ? [`the dearest published fee for a request, ${fee} USD`]
      : []),
    ...(costOf(run, candidate, usage) > pricedCost(run, candidate, usage)
      ? [usage.billedNanoUsd === undefined ? "the published fee for searches" : "what the vendor says it bills"]
      : []),
  ];
  return notes.length === 0 ? null : `Charged ${notes.join("; ")}`;
}

/** In words of its own: a vendor may say anything. */
function tierNames({ tiers = [] }: Usage): string[] {
  const dear = tiers.flatMap((tier) => dearTiers.exec(tier)?.[0].toLowerCase() ?? []).map((tier) => `the tier ${tier}`);
  return [...dear, ...(tiers.includes("us") ? ["inference in the US"] : [])];
}

const times = (hundredths: number) => `${hundredths / 100} times`;
const shares = ({ prompt, completion }: LongPromptRate) =>
  prompt === completion
    ? `${times(prompt)} the price`
    : `${times(prompt)} the price of input and ${times(completion)} that of output`;

/** What trying a chat call's candidates needs apart from how to call one. */
export function trying(run: ChatRun, vendor: AbortSignal) {
  const { route, attempts, context, claim, mostCost } = run;
  const mostCostUnread = (candidate: Candidate, waitedMs: number) =>
    costOf(run, candidate, unreadUsage(run, candidate, waitedMs));
  const wasCounted = () => run.received.usage !== null;
  return { route, attempts, context, claim, vendor, mostCost, mostCostUnread, wasCounted };
}
