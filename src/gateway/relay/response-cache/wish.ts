import type { ProviderPreferences } from "#contract/routing.ts";
import { invalid } from "../../domain/refusal.ts";
import type { ModelCall } from "../model-call.ts";

/** How a call wants to use the response cache. */
export interface CacheWish {
  readonly ttlSeconds: number;
  /** forget the answer that is there, and keep the new one */
  readonly clear: boolean;
}

const plainTtl = 300;
const longestTtl = 86_400;

/**
 * What a call's headers and its preset ask of the response cache; null: nothing, or it wants nothing retained.
 * @throws Refusal invalid_request for a header that says neither
 */
export function cacheWish(
  { headers, preset }: Pick<ModelCall, "headers" | "preset">,
  { zdr, data_collection: collection }: ProviderPreferences,
): CacheWish | null {
  const asked = flagIn(headers, "x-openrouter-cache");
  const clear = flagIn(headers, "x-openrouter-cache-clear") ?? false;
  const ttlSeconds = ttlIn(headers) ?? preset?.cache?.ttlSeconds ?? plainTtl;
  const byPreset = preset?.cache?.isEnabled ?? null;
  if (byPreset === false || !(asked ?? byPreset ?? false)) return null;
  return zdr === true || collection === "deny" ? null : { ttlSeconds, clear };
}

type Headers = ModelCall["headers"];

function flagIn(headers: Headers, name: string): boolean | null {
  const value = headers[name];
  if (value === undefined || value === "") return null;
  if (value !== "true" && value !== "false") throw invalid(name, "must be true or false");
  return value === "true";
}

function ttlIn(headers: Headers): number | null {
  const name = "x-openrouter-cache-ttl";
  const value = headers[name];
  if (value === undefined || value === "") return null;
  const seconds = typeof value === "string" && /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (seconds < 1 || seconds > longestTtl) throw invalid(name, `must be a number of seconds from 1 to ${longestTtl}`);
  return seconds;
}
