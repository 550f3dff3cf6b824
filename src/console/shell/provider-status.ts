import type { ProviderHealth } from "#contract/providers.ts";
import type { StatusKind } from "../ui/Status.tsx";

/** A status in a shape and a word. What was not seen is unknown, never green. */
export interface ProviderStatus {
  kind: StatusKind;
  word: string;
}

const byHealth: Record<ProviderHealth["status"], ProviderStatus> = {
  idle: { kind: "unknown", word: "No calls seen" },
  up: { kind: "running", word: "Up" },
  slow: { kind: "warning", word: "Slow" },
  overloaded: { kind: "warning", word: "Overloaded" },
  credentials: { kind: "trouble", word: "Key invalid" },
  down: { kind: "trouble", word: "Down" },
};

/** @param fresh false where the health could not be read again: an old green is no green */
export function providerStatus(
  { enabled, health }: { enabled: boolean; health: ProviderHealth },
  fresh = true,
): ProviderStatus {
  if (!enabled) return { kind: "off", word: "Off" };
  return fresh ? byHealth[health.status] : { kind: "unknown", word: "Unknown" };
}

/** Something that an admin should look at: calls are held back, or the vendor refuses the key. */
export function inTrouble({ enabled, health }: { enabled: boolean; health: ProviderHealth }): boolean {
  return enabled && (health.status === "down" || health.status === "credentials" || health.status === "overloaded");
}
