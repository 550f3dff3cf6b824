import { costOf as priceOf, savedByCache, type Written } from "../../domain/ledger/price.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { Usage } from "../../providers/provider.ts";
import { noOutput } from "./output.ts";
import type { ChatRun } from "./run.ts";

type Used = Pick<Usage, "promptTokens" | "cachedTokens" | "completionTokens" | "imageOutputTokens"> & {
  readonly written?: Written;
};

/** A chat call's cost at a candidate: nano-dollars; 0 at one without a price. */
export function chatCost({ model }: Pick<Candidate, "model">, used: Used, images: number): bigint {
  if (model.prices === null) return 0n;
  const { promptTokens, cachedTokens, written, completionTokens, imageOutputTokens } = used;
  const prompt = { promptTokens, cachedTokens, written, images };
  return priceOf(model.prices, { ...prompt, completionTokens, imageOutputTokens, requests: 1 });
}

/** What the candidate's vendor did not charge because it had read a part of the prompt before: nano-dollars. */
export function cacheSaving({ model }: Candidate, { promptTokens, cachedTokens = 0 }: Usage): bigint {
  return model.prices === null ? 0n : savedByCache(model.prices, Math.min(cachedTokens, promptTokens));
}

/** The usage that a provider reported for an unusable answer, or else the most that it can have been. */
export function unreadUsage({ bounds, received }: ChatRun, { model }: Candidate, workedMs: number): Usage {
  const { bytes, streamed, usage } = received;
  if (usage !== null) return bounds.believable(usage, model, noOutput);
  return streamed ? bounds.leftBehind(model, bytes, null, workedMs) : bounds.unread(model, workedMs);
}

/** A chat call's cost at a candidate, including writes to the vendor's cache. */
export function costOf({ bounds, prompt }: ChatRun, candidate: Candidate, usage: Usage): bigint {
  return chatCost(candidate, { ...usage, written: bounds.written(candidate.model, usage) }, prompt.images);
}

/** What trying a chat call's candidates needs apart from how to call one. */
export function trying(run: ChatRun, vendor: AbortSignal) {
  const { route, attempts, context, claim, mostCost } = run;
  const mostCostUnread = (candidate: Candidate, waitedMs: number) =>
    costOf(run, candidate, unreadUsage(run, candidate, waitedMs));
  const wasCounted = () => run.received.usage !== null;
  return { route, attempts, context, claim, vendor, mostCost, mostCostUnread, wasCounted };
}
