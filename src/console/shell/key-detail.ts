import type { KeyRecord } from "#contract/keys.ts";
import { formatRelative } from "../format.ts";

type Key = Pick<KeyRecord, "hash" | "name" | "label" | "status" | "workspace_id" | "last_used_at">;

/**
 * What tells a key from others in a list to choose from: its label, its state where calls with it fail, and where
 * another key of the list has its name, also when it was last used.
 *
 * @param others the keys of the list
 * @param workspace the name of its workspace, where the list has keys of several
 */
export function keyDetail(key: Key, others: readonly Key[], workspace: string | undefined, now: Date): string {
  const isOneOfMany = others.some(({ hash, name }) => hash !== key.hash && name === key.name);
  const used = key.last_used_at === null ? "never used" : `used ${formatRelative(new Date(key.last_used_at), now)}`;
  return [
    key.label,
    ...(workspace === undefined ? [] : [`in ${workspace}`]),
    ...(key.status === "active" ? [] : [key.status.replace("_", " ")]),
    ...(isOneOfMany ? [used] : []),
  ].join(", ");
}
