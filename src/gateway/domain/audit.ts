import { sql, type Transaction } from "kysely";
import { api, type EndpointName } from "#contract/api.ts";
import type { AuditRecord, DirectoryAction, listAudit } from "#contract/audit.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { Tables } from "../storage/tables.ts";
import type { Context } from "./context.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { orderedId } from "./ordered-id.ts";
import { refuseUnlessManagement } from "./permission.ts";

export type AuditedAction = EndpointName | DirectoryAction;

/** One change, as described by the verb that makes it. */
export interface Change {
  /** the endpoint, stored and published as its operationId; or what an identity provider did */
  action: AuditedAction;
  target: { type: string; id: string; name: string | null; workspaceId: string | null };
  /** the members as in the public record; never secrets */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Writes a change's audit row in the change's own transaction, so that no change goes without its row. */
export async function recordChange(trx: Transaction<Tables>, ctx: Context, change: Change): Promise<void> {
  await recordChanges(trx, ctx, [change]);
}

/** Rows that are written by one statement. */
const writtenAtOnce = 200;

/** The same for changes that a verb makes together. */
export async function recordChanges(trx: Transaction<Tables>, ctx: Context, changes: readonly Change[]): Promise<void> {
  for (let from = 0; from < changes.length; from += writtenAtOnce) {
    const rows = changes.slice(from, from + writtenAtOnce).map((change) => auditRow(ctx, change));
    await trx.insertInto("audit").values(rows).execute();
  }
}

function auditRow(ctx: Context, { action, target, ...change }: Change) {
  const [before, after] = boundedMembers(...changedMembers(change.before, change.after));
  return {
    id: orderedId(ctx.now()),
    at: ctx.now(),
    actor: ctx.actor.name,
    action: published(action),
    target_type: target.type,
    target_id: target.id,
    target_name: target.name,
    workspace_id: target.workspaceId,
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
    source_ip: ctx.sourceIp,
    request_id: ctx.requestId,
  };
}

const published = (action: AuditedAction) => (action in api ? api[action as EndpointName].operationId : action);

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

/** A member whose JSON is longer than this is recorded as what of it differs. */
const mostMember = 16_384;

/**
 * The members with long ones in short: of a list the items that the other side lacks, as `{count, unchanged, shown,
 * cut}`, of anything else its beginning. `cut` says how much of what differs is left out.
 */
export function boundedMembers(before: Members, after: Members): [Members, Members] {
  const names = Object.keys({ ...before, ...after });
  const long = names.filter((name) => isLong(before?.[name]) || isLong(after?.[name]));
  const pairs = long.map((name) => [name, inShort(before?.[name]), inShort(after?.[name])] as const);
  return [
    before && { ...before, ...Object.fromEntries(pairs.map(([name, one, other]) => [name, differing(one, other)])) },
    after && { ...after, ...Object.fromEntries(pairs.map(([name, one, other]) => [name, differing(other, one)])) },
  ];
}

function isLong(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value !== "number" && (JSON.stringify(value)?.length ?? 0) > mostMember;
  let length = 0;
  return value.some((each) => (length += JSON.stringify(each).length) > mostMember);
}

/** A list's items by their JSON. */
class Items extends Map<string, unknown> {}

function inShort(value: unknown): unknown {
  if (Array.isArray(value)) return new Items(value.map((each: unknown) => [JSON.stringify(each), each]));
  if (!isLong(value)) return value;
  const text = JSON.stringify(value);
  return { beginning: text.slice(0, mostMember), cut: text.length - mostMember };
}

function differing(value: unknown, other: unknown): unknown {
  if (!(value instanceof Items)) return value;
  const left = [...value].filter(([text]) => !(other instanceof Items && other.has(text)));
  let length = 0;
  const shown = left.filter(([text]) => (length += text.length) <= mostMember).map(([, each]) => each);
  return { count: value.size, unchanged: value.size - left.length, shown, cut: left.length - shown.length };
}

type ListAudit = typeof listAudit;

const pageSize = 50;
/** A page ends where its rows' members have this many bytes; one row is always on it. */
const mostPageBytes = 1_048_576;

/** The audit log, newest first, by cursor. */
export async function list(ctx: Context, query: Parsed<ListAudit>["query"]): Promise<Output<ListAudit>> {
  refuseUnlessManagement(ctx);
  const size = query.limit ?? pageSize;
  let rows = ctx.store.db
    .selectFrom("audit")
    .select([
      "id",
      sql<number>`coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)`.as("bytes"),
    ])
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
  let total = 0;
  const fitting = found.slice(0, size).filter(({ bytes }, at) => {
    total += bytes;
    return at === 0 || total <= mostPageBytes;
  });
  const shown = await ctx.store.db
    .selectFrom("audit")
    .selectAll()
    .where(sql<boolean>`id = any(${fitting.map(({ id }) => id)}::uuid[])`)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .execute();
  const data = shown.map((row): AuditRecord => ({ ...row, at: row.at.toISOString() }));
  const last = data.at(-1);
  const next = found.length > data.length && last !== undefined ? writeCursor("audit", [last.at, last.id]) : null;
  return { data, next_cursor: next };
}
