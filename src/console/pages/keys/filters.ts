import type { KeysSearch } from "./search.ts";

export const limitChoices = { near: "80 to 100% used", over: "used up", some: "set", none: "none" } as const;
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
