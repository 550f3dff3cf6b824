import type { Transaction } from "kysely";
import type { Tables } from "../../storage/tables.ts";
import { type AuditedAction, recordChange, recordChanges } from "../audit.ts";
import type { Context } from "../context.ts";
import { auditedMembers, type KeyRow } from "./record.ts";
import { notFound, type Refusal } from "../refusal.ts";

type Trx = Transaction<Tables>;

/** The audit rows of the three things that happen to a key. */
export async function recordCreation(trx: Trx, ctx: Context, action: AuditedAction, row: KeyRow): Promise<void> {
  await recordChange(trx, ctx, { action, target: target(row), before: null, after: auditedMembers(row) });
}

export async function recordUpdate(trx: Trx, ctx: Context, action: AuditedAction, change: KeyUpdate): Promise<void> {
  await recordUpdates(trx, ctx, action, [change]);
}

/** The same for keys that change together, one row each. */
export async function recordUpdates(
  trx: Trx,
  ctx: Context,
  action: AuditedAction,
  changes: readonly KeyUpdate[],
): Promise<void> {
  const described = changes.map(({ before, after }) => ({
    action,
    target: target(after),
    before: auditedMembers(before),
    after: auditedMembers(after),
  }));
  await recordChanges(trx, ctx, described);
}

interface KeyUpdate {
  readonly before: KeyRow;
  readonly after: KeyRow;
}

export async function recordDeletion(trx: Trx, ctx: Context, action: AuditedAction, row: KeyRow): Promise<void> {
  await recordChange(trx, ctx, { action, target: target(row), before: auditedMembers(row), after: null });
}

function target(row: KeyRow) {
  return { type: "key", id: row.hash, name: row.name, workspaceId: row.workspace_id };
}

export function noSuchKey(): Refusal {
  return notFound("There is no API key with this hash");
}
