import { useQueries } from "@tanstack/react-query";
import { identifyKeys, KeyHash, mostIdentified, type KeyIdentity } from "#contract/keys.ts";
import { call } from "../../api/call.ts";
import { now } from "../../api/clock.ts";
import { query } from "../../api/query.ts";

export type NamedKey = { state: "known"; key: KeyIdentity } | { state: "unknown" } | { state: "loading" | "failed" };

/** What the keys of an allowlist are called, asked for by their hashes, many at once. */
export function useKeyNames(hashes: readonly string[]): ReadonlyMap<string, NamedKey> {
  const lots = inLots(hashes);
  return useQueries({
    queries: lots.map((lot) => query(identifyKeys, { query: { hash: lot.join(",") } })),
    combine: (reads) => {
      // invalid hashes are not requested
      const names = new Map<string, NamedKey>(hashes.map((hash) => [hash, { state: "unknown" }]));
      for (const [at, { data, isPending }] of reads.entries()) {
        if (!data) for (const hash of lots[at] ?? []) names.set(hash, { state: isPending ? "loading" : "failed" });
        for (const key of data?.data ?? []) names.set(key.hash, { state: "known", key });
      }
      return names;
    },
  });
}

/** Those of the hashes that belong to a key of the workspace, or of any where none is said; management keys make no calls. */
export async function existingKeys(
  hashes: readonly string[],
  workspaceId: string | undefined,
): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(
    inLots(hashes).map((lot) => call(identifyKeys, { query: { hash: lot.join(",") } })),
  );
  const keys = answers.flatMap(({ data }) =>
    data.filter((key) => isThere(key) && (workspaceId === undefined || key.workspace_id === workspaceId)),
  );
  return new Set(keys.map(({ hash }) => hash));
}

const isThere = ({ kind, deleted_at }: KeyIdentity): boolean => kind === "ordinary" && deleted_at === null;

function inLots(hashes: readonly string[]): string[][] {
  const asked = hashes.filter((hash) => KeyHash.safeParse(hash).success);
  return Array.from({ length: Math.ceil(asked.length / mostIdentified) }, (_, at) =>
    asked.slice(at * mostIdentified, (at + 1) * mostIdentified),
  );
}

/** True for a hash that no key of this gateway has any more, or ever had. */
export const isUnknown = (named: NamedKey | undefined): boolean =>
  named?.state === "unknown" || (named?.state === "known" && !isThere(named.key));

/** The words on a key's chip, with the end of its label: several may have one name. `workspaceId` marks one of another workspace, whose calls never come past here. */
export function keyWords(hash: string, named: NamedKey | undefined, workspaceId: string | undefined): string {
  if (named?.state === "unknown") return `Unknown key ${hash.slice(0, 4)}…`;
  if (named?.state !== "known") return `${hash.slice(0, 8)}…`;
  const { name, label, kind, disabled, expires_at, deleted_at, workspace_id } = named.key;
  if (kind === "management") return `Unknown key ${hash.slice(0, 4)}… (${name}, a management key)`;
  if (deleted_at !== null) return `Unknown key ${hash.slice(0, 4)}… (${name}, deleted)`;
  const expired = expires_at !== null && Date.parse(expires_at) <= now().getTime();
  const notes = [
    disabled ? "disabled" : expired ? "expired" : null,
    workspaceId !== undefined && workspace_id !== workspaceId ? "another workspace" : null,
  ].filter((note) => note !== null);
  return `${name} …${label.slice(-4)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}
