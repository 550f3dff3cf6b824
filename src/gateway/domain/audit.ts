import type { Transaction } from "kysely";
import { api, type EndpointName } from "#contract/api.ts";
import type { AuditRecord, listAudit } from "#contract/audit.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { Tables } from "../storage/tables.ts";
import type { Context } from "./context.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { orderedId } from "./ordered-id.ts";
import { refuseUnlessManagement } from "./permission.ts";

/** One change, as described by the verb that makes it. */
export interface Change {
  /** the endpoint; stored and published as its operationId */
  action: EndpointName;
  target: { type: string; id: string; name: string | null; workspaceId: string | null };
  /** the members as in the public record; never secrets */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Writes a change's audit row in the change's own transaction, so that no change goes without its row. */
export async function recordChange(trx: Transaction<Tables>, ctx: Context, change: Change): Promise<void> {
  const [before, after] = changedMembers(change.before, change.after);
  await trx
    .insertInto("audit")
    .values({
      id: orderedId(ctx.now()),
      at: ctx.now(),
      actor: ctx.actor.name,
      action: api[change.action].operationId,
      target_type: change.target.type,
      target_id: change.target.id,
      target_name: change.target.name,
      workspace_id: change.target.workspaceId,
      before: before === null ? null : JSON.stringify(before),
      after: after === null ? null : JSON.stringify(after),
      source_ip: ctx.sourceIp,
      request_id: ctx.requestId,
    })
    .execute();
}

type Members = Record<string, unknown> | null;

/** For an update, only the members that differ; a creation or deletion is recorded in full. */
export function changedMembers(before: Members, after: Members): [Members, Members] {
  if (before === null || after === null) return [before, after];
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (from: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return [pick(before), pick(after)];
}

type ListAudit = typeof listAudit;

const pageSize = 50;

/** The audit log, newest first, by cursor. */
export async function list(ctx: Context, query: Parsed<ListAudit>["query"]): Promise<Output<ListAudit>> {
  refuseUnlessManagement(ctx);
  const size = query.limit ?? pageSize;
  let rows = ctx.store.db
    .selectFrom("audit")
    .selectAll()
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(size + 1);
  for (const column of ["actor", "action", "target_type", "target_id", "workspace_id", "request_id"] as const) {
    const wanted = query[column];
    if (wanted !== undefined) rows = rows.where(column, "=", wanted);
  }
  if (query.since !== undefined) rows = rows.where("at", ">=", new Date(query.since));
  if (query.until !== undefined) rows = rows.where("at", "<", new Date(query.until));
  if (query.cursor !== undefined) {
    const [at, id] = readCursor(query.cursor, "audit", ["instant", "uuid"]);
    rows = rows.where(({ eb, refTuple, tuple }) => eb(refTuple("at", "id"), "<", tuple(new Date(at), id)));
  }
  const found = await rows.execute();
  const data = found.slice(0, size).map((row): AuditRecord => ({ ...row, at: row.at.toISOString() }));
  const last = data.at(-1);
  const next = found.length > size && last !== undefined ? writeCursor("audit", [last.at, last.id]) : null;
  return { data, next_cursor: next };
}
