import type { KeyRecord } from "#contract/keys.ts";

export type KeyToDisable = Pick<KeyRecord, "hash" | "name"> & Partial<Pick<KeyRecord, "made_keys">>;

/** Keys with those that work until they are disabled, each once: the gateway does not enable those with them. */
export function withMadeKeys(keys: readonly KeyToDisable[]): KeyToDisable[] {
  const made = keys.flatMap(({ made_keys = [] }) => made_keys).filter(({ disabled }) => !disabled);
  return [...new Map([...keys, ...made].map((key) => [key.hash, key])).values()];
}

/** What else ends when keys are disabled or deleted; empty where nothing does. */
export function endsWith(keys: readonly KeyToDisable[]): string {
  if (withMadeKeys(keys).length === keys.length) return "";
  return ` Keys made with ${keys.length === 1 ? "it" : "them"} are disabled too, and stay disabled.`;
}
