import { useQueries } from "@tanstack/react-query";
import { getKey } from "#contract/keys.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { ApiError } from "../../api/errors.ts";
import { query } from "../../api/query.ts";

export type NamedKey = { state: "known"; key: KeyRecord } | { state: "unknown" } | { state: "loading" | "failed" };

/** What the keys of an allowlist are called. One that was deleted, or never was here, is unknown. */
export function useKeyNames(hashes: readonly string[]): ReadonlyMap<string, NamedKey> {
  return useQueries({
    queries: hashes.map((hash) => query(getKey, { params: { hash } })),
    combine: (reads) =>
      new Map(
        reads.map(({ data, error, isPending }, index): [string, NamedKey] => [
          hashes[index] ?? "",
          data
            ? { state: "known", key: data.data }
            : error instanceof ApiError && (error.status === 404 || error.status === 400)
              ? { state: "unknown" }
              : { state: isPending ? "loading" : "failed" },
        ]),
      ),
  });
}

/** The words on a key's chip. `other` marks one of another workspace, whose calls never come past here. */
export function keyWords(hash: string, named: NamedKey | undefined, workspaceId: string | undefined): string {
  if (named?.state === "unknown") return `Unknown key ${hash.slice(0, 4)}…`;
  if (named?.state !== "known") return `${hash.slice(0, 8)}…`;
  const { name, status, workspace_id } = named.key;
  const notes = [
    status === "disabled" || status === "expired" ? status : null,
    workspaceId !== undefined && workspace_id !== workspaceId ? "another workspace" : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? name : `${name} (${notes.join(", ")})`;
}
