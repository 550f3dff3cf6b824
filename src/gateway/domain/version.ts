import { createHash } from "node:crypto";
import { Refusal } from "./refusal.ts";

/** A record, and the version that `If-Match` is compared with: a count, or a hash of its settings; sent as ETag. */
export interface Versioned<Data> {
  data: Data;
  version: string | number;
}

/** Differs between any two states of the settings, whatever else is counted in the record meanwhile. */
export function versionOf(settings: object): string {
  return createHash("sha256").update(JSON.stringify(settings, ordered)).digest("hex").slice(0, 16);
}

/** The store does not keep the order in which an object's members were sent. */
function ordered(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * @param what is changed, a noun without its article
 * @param ifVersions the versions that the caller accepts; null for any
 * @throws Refusal conflict where the record has another version by now
 */
export function refuseStale(
  what: string,
  ifVersions: readonly string[] | null,
  { version, updatedAt }: { version: string | number; updatedAt: Date | null },
): void {
  if (ifVersions === null || ifVersions.includes(`${version}`)) return;
  throw new Refusal("conflict", `The ${what} was changed by someone else since you read it: read it again`, {
    current_version: version,
    updated_at: updatedAt?.toISOString() ?? null,
  });
}
