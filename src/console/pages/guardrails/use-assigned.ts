import { useQueries } from "@tanstack/react-query";
import {
  type KeyAssignment,
  listKeyAssignments,
  listMemberAssignments,
  type MemberAssignment,
  mostLookedUp,
} from "#contract/guardrails.ts";
import { query } from "../../api/query.ts";

/** The assignments that these keys have, asked for by their hashes, many at once. */
export function useKeysGuardrails(hashes: readonly string[]): readonly KeyAssignment[] {
  return useQueries({
    queries: inLots(hashes).map((lot) => query(listKeyAssignments, { query: { key_hash: lot, limit: "100" } })),
    combine: (reads) => reads.flatMap(({ data }) => data?.data ?? []),
  });
}

/** The assignments that these creators have. */
export function useCreatorsGuardrails(users: readonly string[]): readonly MemberAssignment[] {
  return useQueries({
    queries: users.map((user) => query(listMemberAssignments, { query: { user_id: user } })),
    combine: (reads) => reads.flatMap(({ data }) => data?.data ?? []),
  });
}

function inLots(hashes: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(hashes.length / mostLookedUp) }, (_, at) =>
    hashes.slice(at * mostLookedUp, (at + 1) * mostLookedUp).join(","),
  );
}
