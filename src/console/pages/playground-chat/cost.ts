import type { ModelRecord } from "#contract/models.ts";
import { formatUsd, formatUsdRough } from "../../format.ts";
import { formatPrice, perMillion } from "../../token-price.ts";
import { estimateTokens } from "../../vectors/tokens.ts";
import { type Answer, isUnderWay } from "./answer.ts";

type Prices = ModelRecord["pricing"];

/** The list writes no price as -1. */
export const isPriced = ({ prompt, completion }: Prices): boolean => Number(prompt) >= 0 && Number(completion) >= 0;

/** "$3.00 in · $15.00 out per million tokens"; "free"; "unpriced". */
export function priceWords(pricing: Prices): string {
  if (!isPriced(pricing)) return "unpriced";
  const { prompt, completion, request = "0" } = pricing;
  const tokens =
    Number(prompt) + Number(completion) > 0
      ? `${formatPrice(perMillion(prompt))} in · ${formatPrice(perMillion(completion))} out per million tokens`
      : "";
  const each = Number(request) > 0 ? `${formatPrice(request)} a call` : "";
  return [tokens, each].filter(Boolean).join(" + ") || "free";
}

/**
 * What an answer costs as long as nobody has counted its tokens: by the length of what was sent and of what came.
 * @returns USD; null where no price is known
 */
export function roughCost(answer: Pick<Answer, "text" | "thoughts" | "usage">, sent: string, pricing: Prices | null) {
  if (pricing === null || !isPriced(pricing)) return null;
  const { prompt, completion, request = "0" } = pricing;
  const [read, written] = answer.usage
    ? [answer.usage.prompt, answer.usage.completion]
    : [estimateTokens(sent), estimateTokens(answer.text) + estimateTokens(answer.thoughts)];
  return read * Number(prompt) + written * Number(completion) + Number(request);
}

/** USD are multiples of a nano-dollar: their sum is one too. */
export const sumUsd = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 1e9), 0) / 1e9;

/** "$0.0042": what a call was charged, "≈ $0.0031" before that is known; undefined where it cannot be said. */
export function costWords(answer: Answer, rough: number | null): string | undefined {
  if (answer.cost !== null) return formatUsd(answer.cost);
  if (answer.call === null && !isUnderWay(answer)) return undefined;
  return rough === null ? undefined : `≈ ${formatUsdRough(rough)}`;
}
