import type { KeyRecord } from "#contract/keys.ts";
import type { KeysSearch } from "./search.ts";
import { usedFraction } from "./status.ts";

const dayMs = 86_400_000;
const nearFrom = 0.8;

/** The filters that the gateway does not know: they are applied here, to rows that are then all read. */
export function hasOwnFilters({ limit, expires, creator }: KeysSearch): boolean {
  return limit !== undefined || expires !== undefined || creator !== undefined;
}

/** Whether a key passes the limit, expiry and creator filters of an address. */
export function passes(key: KeyRecord, { limit, expires, creator }: KeysSearch, now: Date): boolean {
  if (creator !== undefined && key.creator_user_id !== creator) return false;
  return passesLimit(key, limit) && passesExpiry(key, expires, now);
}

function passesLimit(key: KeyRecord, limit: KeysSearch["limit"]): boolean {
  if (limit === undefined) return true;
  const used = usedFraction(key);
  if (limit === "near") return used !== null && used >= nearFrom;
  return (used === null) === (limit === "none");
}

function passesExpiry(key: KeyRecord, expires: KeysSearch["expires"], now: Date): boolean {
  if (expires === undefined) return true;
  if (expires === "never" || key.expires_at === null) return expires === "never" && key.expires_at === null;
  const left = new Date(key.expires_at).getTime() - now.getTime();
  return left > 0 && left <= (expires === "7d" ? 7 : 30) * dayMs;
}

export const limitChoices = { near: "80 % used or more", some: "set", none: "none" } as const;
export const expiryChoices = { "7d": "within 7 days", "30d": "within 30 days", never: "never" } as const;

/** The filters of an address in words, for the page that nothing passes. */
export function filterWords({ status, limit, expires, creator }: KeysSearch): string {
  const words = [
    status && `status ${status.replace("_", " ")}`,
    limit && `limit ${limitChoices[limit]}`,
    expires && `expires ${expiryChoices[expires]}`,
    creator && `creator ${creator}`,
  ].filter(Boolean);
  return words.join(", ");
}
