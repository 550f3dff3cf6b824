import type { KeyRecord } from "#contract/keys.ts";
import { formatRelative } from "../../format.ts";

/** "disabled", "expired", "expires in 3 days"; empty where nothing ends it. */
export function madeKeyNote({ disabled, expires_at }: KeyRecord["made_keys"][number], now: Date): string {
  if (disabled) return "disabled";
  if (expires_at === null) return "";
  const at = new Date(expires_at);
  return at <= now ? "expired" : `expires ${formatRelative(at, now)}`;
}

/** What a change of the key means for those that were made with it; null where there are none. */
export function boundWithIt({ made_keys: { length: count } }: Pick<KeyRecord, "made_keys">): string | null {
  if (count === 0) return null;
  return count === 1
    ? "The key made with it counts toward this limit too."
    : `The ${count} keys made with it count toward this limit too.`;
}
