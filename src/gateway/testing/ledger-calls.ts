import { randomUUID } from "node:crypto";
import type { Deps } from "../domain/context.ts";
import { newGenerationId } from "../domain/generation-id.ts";
import { ledgerRows } from "../domain/ledger/columns.ts";
import { commitGroup } from "../domain/ledger/commit.ts";
import { type ChargedEntry, initialValues, type LedgerEntry } from "../domain/ledger/entry.ts";

/** A finished call; what is not given is plain, with a workspace and a count of its own. */
export function makeEntry(values: Partial<LedgerEntry> = {}): LedgerEntry {
  const createdAt = values.createdAt ?? new Date("2026-11-21T12:00:00.000Z");
  return {
    ...initialValues,
    id: newGenerationId(createdAt),
    createdAt,
    workspaceId: randomUUID(),
    keyHash: "0".repeat(64),
    spendId: randomUUID(),
    apiType: "embeddings",
    model: "acme/embed",
    provider: "acme",
    cost: 0n,
    durationMs: 1,
    attempts: [],
    ...values,
  };
}

/** The entry, charged for what it cost. */
export const charged = (entry: LedgerEntry): ChargedEntry => ({
  entry,
  own: entry.cost,
  byok: entry.byokCost,
  overrun: 0n,
});

/**
 * Puts finished calls on the ledger and into its rollup, by the statement that the ledger itself uses.
 * @param at when they ended; they began then too, unless a call says otherwise
 */
export async function commitCalls(
  { store, bodies }: Pick<Deps, "store" | "bodies">,
  at: string,
  calls: readonly (Pick<LedgerEntry, "workspaceId"> & Partial<LedgerEntry>)[],
): Promise<LedgerEntry[]> {
  const entries = calls.map((call) => makeEntry({ createdAt: new Date(at), ...call }));
  const kept = entries.flatMap(({ body, ...entry }) => (body == null ? [] : [{ ...entry, body }]));
  await commitGroup(store.pool, {
    entries: entries.map(charged),
    at: new Date(at),
    leased: [],
    processId: randomUUID(),
    bodies: bodies.pack(kept),
  });
  return entries;
}

/** One call of a workspace, or those given, that ended at one instant. */
export async function commitCallsOf(
  deps: Pick<Deps, "store" | "bodies">,
  workspaceId: string,
  at: string,
  ...calls: Partial<LedgerEntry>[]
): Promise<LedgerEntry[]> {
  const given = calls.length === 0 ? [{}] : calls;
  return await commitCalls(
    deps,
    at,
    given.map((call) => ({ ...call, workspaceId })),
  );
}

/** A call's row on the ledger; undefined: there is none. @param id null: the answer had none */
export async function ledgerRow({ deps }: { deps: Pick<Deps, "store"> }, id: string | null) {
  return await ledgerRows(deps.store.db)
    .selectAll()
    .where("id", "=", id ?? "")
    .executeTakeFirst();
}
