import type { ModelUsage, ModelUsageByKey } from "#contract/activity.ts";
import type { ModelRow } from "./offers.ts";

export const usualCalls = 4;

interface Cost {
  least: number;
  most: number;
}

/**
 * What it costs to send so many requests with so many tokens again, USD, at the cheapest and the dearest provider.
 * @returns null where nobody has a price
 */
export function costAgain(
  { requests, prompt_tokens: tokens }: Pick<ModelUsageByKey, "requests" | "prompt_tokens">,
  { price, request }: Pick<ModelRow, "price" | "request">,
): Cost | null {
  if (price === null) return null;
  const cost = (perMillion: string, perRequest: string | undefined) =>
    (tokens / 1e6) * Number(perMillion) + requests * Number(perRequest ?? 0);
  return { least: cost(price.least, request?.least), most: cost(price.most, request?.most) };
}

/**
 * How long so many tokens take, milliseconds, if every call goes as the sampled ones did.
 * @param atOnce how many calls are under way at a time
 * @returns null where no call was measured
 */
export function timeAgain(
  tokens: number,
  { calls, prompt_tokens: sampled, duration_ms: took }: ModelUsage["sample"],
  atOnce: number,
): number | null {
  return calls === 0 || sampled === 0 ? null : (tokens / sampled) * (took / atOnce);
}

/** About how many vectors so many requests made, by how many each of the sampled ones asked for; null: none was sampled. */
export function vectorsMade(requests: number, { calls, inputs }: ModelUsage["sample"]): number | null {
  return calls === 0 ? null : Math.round((requests * inputs) / calls);
}

/** The lengths to weigh: what the model gives unasked, and the powers of two from 64 on that it can be asked for. */
export function lengthsOf({ dimensions, offers }: Pick<ModelRow, "dimensions" | "offers">): number[] {
  if (dimensions === null) return [];
  const ranges = offers.flatMap(({ on, model }) =>
    on && model.dimensions_range !== null ? [model.dimensions_range] : [],
  );
  const asked = Array.from({ length: 11 }, (_, power) => 64 * 2 ** power).filter((length) =>
    ranges.some(({ minimum, maximum }) => minimum <= length && length <= maximum),
  );
  return [...new Set([...asked, dimensions])].toSorted((a, b) => b - a);
}

/** Memory of so many vectors as 32-bit floats, without an index's own structures. */
export const memoryOf = (vectors: number, length: number) => vectors * length * 4;

export const csvHeader = [
  "key",
  "key_hash",
  "workspace_id",
  "tokens",
  "requests",
  "spent_usd",
  "again_least_usd",
  "again_most_usd",
] as const;

/** A key's part of the plan, as the file has it. */
export function csvRow(key: ModelUsageByKey, to: ModelRow | undefined): (string | number | null)[] {
  const again = to ? costAgain(key, to) : null;
  const spent = key.usage + key.byok_usage;
  return [
    key.name,
    key.key_hash,
    key.workspace_id,
    key.prompt_tokens,
    key.requests,
    spent,
    again?.least ?? null,
    again?.most ?? null,
  ];
}
