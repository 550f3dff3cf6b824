import { type RawBuilder, sql } from "kysely";
import type { listGenerations } from "#contract/calls.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { hourMs } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { type CallRow, callRecord } from "./record.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { instantOfGeneration } from "../generation-id.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid } from "../refusal.ts";
import { workspaceScope } from "../workspaces/scope.ts";

type Query = Parsed<typeof listGenerations>["query"];
type List = Output<typeof listGenerations>;
type Condition = RawBuilder<unknown>;

const pageSize = 50;
/** The most calls that a filter without an index scans for one page, so that a page never takes long. */
const longestScan = 20_000;
const shortestScan = 500;
/** Later than any call. */
const end: Position = { at: new Date("9999-12-31T00:00:00Z"), id: "" };

/** Just before the call with this id at this instant, in the order of the list. */
interface Position {
  at: Date;
  id: string;
}

/** Model calls, newest first. */
export async function list(ctx: Context, query: Query): Promise<List> {
  refuseUnlessManagement(ctx);
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  if (query.id !== undefined) return await byId(ctx, workspaces, query.id);
  if (query.request_id !== undefined) return await byRequest(ctx, workspaces, query.request_id);
  const filters = filtersOf(query);
  const since = query.since === undefined ? null : new Date(query.since);
  const before = await skipIdleHours(ctx, workspaces, query, positionOf(query));
  if (before === null) return { data: [], next_cursor: null, looked_back_to: null };
  const source = query.api_key_hash === undefined ? byWorkspace(workspaces) : byKey(workspaces, query.api_key_hash);
  const stop =
    filters.length === 0 ? null : await endOfScan(ctx, source, { before, since, workspaces: workspaces.length });
  const size = query.limit ?? pageSize;
  const rows = await read(ctx, source, {
    conditions: [...filters, ...notBefore(stop ?? since)],
    before,
    limit: size + 1,
  });
  const page = rows.slice(0, size);
  const last = page.at(-1);
  const next = rows.length > size && last !== undefined ? { at: last.created_at, id: last.id } : stopPosition(stop);
  return {
    data: page.map(callRecord),
    next_cursor: next === null ? null : writeCursor("generations", [next.at.toISOString(), next.id]),
    looked_back_to: next?.at.toISOString() ?? null,
  };
}

async function byId(ctx: Context, workspaces: readonly string[], id: string): Promise<List> {
  const at = instantOfGeneration(id);
  const conditions = [sql`l.created_at = ${at} and l.id = ${id}`];
  const rows = at === null ? [] : await read(ctx, byWorkspace(workspaces), { conditions, before: end, limit: 1 });
  return { data: rows.map(callRecord), next_cursor: null, looked_back_to: null };
}

async function byRequest(ctx: Context, workspaces: readonly string[], requestId: string): Promise<List> {
  const source: Source = (conditions, columns, limit, offset) => sql`
    (
      select ${columns} from ledger l
      where l.request_id = ${requestId} and l.workspace_id = any(${workspaces}::uuid[]) and ${conditions}
      limit ${limit} offset ${offset}
    ) as l`;
  const rows = await read(ctx, source, { conditions: [], before: end, limit: pageSize });
  return { data: rows.map(callRecord), next_cursor: null, looked_back_to: null };
}

/** Where the page begins: after the previous one, or at the last call of the range. */
function positionOf({ cursor, since, until }: Query): Position {
  if (since !== undefined && until !== undefined && Date.parse(since) >= Date.parse(until)) {
    throw invalid("until", "must be later than since");
  }
  if (cursor !== undefined) {
    const [at, id] = readCursor(cursor, "generations", ["instant", "text"]);
    return { at: new Date(at), id };
  }
  return until === undefined ? end : { at: new Date(until), id: "" };
}

function notBefore(at: Date | null): Condition[] {
  return at === null ? [] : [sql`l.created_at >= ${at}`];
}

function stopPosition(stop: Date | null): Position | null {
  return stop === null ? null : { at: stop, id: "" };
}

/** The filters that no index serves. */
function filtersOf({ model, provider, status, session_id }: Query): Condition[] {
  return [
    ...(model === undefined ? [] : [sql`l.model = ${model}`]),
    ...(provider === undefined ? [] : [sql`l.provider = ${provider}`]),
    ...(session_id === undefined ? [] : [sql`l.session_id = ${session_id}`]),
    ...(status === undefined ? [] : [statusFilter(status)]),
  ];
}

function statusFilter(status: string): Condition {
  if (status === "failed") return sql`l.status >= 400`;
  if (status === "succeeded") return sql`l.status < 400`;
  return sql`l.status = ${Number(status)}`;
}

/** The sources of calls: each reads in list order from an index, and no further than is needed. */
type Source = (conditions: Condition, columns: Condition, limit: number, offset: number) => Condition;

const order = sql`order by l.created_at desc, l.id desc`;

function byWorkspace(workspaces: readonly string[]): Source {
  return (conditions, columns, limit, offset) => sql`
    unnest(${workspaces}::uuid[]) as w (id)
    cross join lateral (
      select ${columns} from ledger l
      where l.workspace_id = w.id and ${conditions} ${order} limit ${limit} offset ${offset}
    ) as l`;
}

function byKey(workspaces: readonly string[], keyHash: string): Source {
  return (conditions, columns, limit, offset) => sql`
    (
      select ${columns} from ledger l
      where l.key_hash = ${keyHash} and l.workspace_id = any(${workspaces}::uuid[]) and ${conditions}
      ${order} limit ${limit} offset ${offset}
    ) as l`;
}

const isBefore = ({ at, id }: Position) =>
  sql`l.created_at <= ${at} and (l.created_at, l.id) < (${at}::timestamptz, ${id}::text)`;

interface Page {
  readonly conditions: readonly Condition[];
  readonly before: Position;
  readonly limit: number;
}

async function read(ctx: Context, source: Source, { conditions, before, limit }: Page): Promise<CallRow[]> {
  const all = sql.join([isBefore(before), ...conditions], sql` and `);
  const { rows } = await sql<CallRow>`
    select l.*, k.name as key_name, p.name as provider_name
    from (select l.* from ${source(all, sql`l.*`, limit, 0)} ${order} limit ${limit}) as l
    left join api_keys k on k.hash = l.key_hash and k.deleted_at is null
    left join providers p on p.slug = l.provider
    ${order}`.execute(ctx.store.db);
  return rows;
}

/** How far one scan goes back: to the last of a bounded number of calls per workspace; null: to the range's first. */
async function endOfScan(
  ctx: Context,
  source: Source,
  { before, since, workspaces }: { before: Position; since: Date | null; workspaces: number },
): Promise<Date | null> {
  const range = sql.join([isBefore(before), ...notBefore(since)], sql` and `);
  const scan = Math.max(shortestScan, Math.floor(longestScan / Math.max(1, workspaces)));
  const { rows } = await sql<{ at: Date | null }>`
    select max(l.created_at) as at from ${source(range, sql`l.created_at`, 1, scan)}`.execute(ctx.store.db);
  return rows[0]?.at ?? null;
}

/** The rollup counts a call in the hour in which it ended. No call is assumed to last longer than this. */
const longestCallMs = 2 * hourMs;

/**
 * The rollup knows which hours have calls of this model, provider or failure: the others are skipped.
 * @returns where to continue; null: there is nothing further back
 */
async function skipIdleHours(
  ctx: Context,
  workspaces: readonly string[],
  query: Query,
  before: Position,
): Promise<Position | null> {
  const { model, provider, status, api_key_hash: key, since } = query;
  const failed = status !== undefined && status !== "succeeded" && (status === "failed" || Number(status) >= 400);
  const conditions = [
    sql`u.hour <= ${new Date(before.at.getTime() + longestCallMs)}`,
    ...(model === undefined ? [] : [sql`u.model = ${model}`]),
    ...(provider === undefined ? [] : [sql`u.provider = ${provider}`]),
    ...(key === undefined ? [] : [sql`u.key_hash = ${key}`]),
    ...(failed ? [sql`u.failures > 0`] : []),
  ];
  if (conditions.length === 1) return before;
  if (since !== undefined) conditions.push(sql`u.hour > ${new Date(Date.parse(since) - hourMs)}`);
  const { rows } = await sql<{ hour: Date | null }>`
    select max(h.hour) as hour from unnest(${workspaces}::uuid[]) as w (id)
    cross join lateral (
      select u.hour from usage_hourly u
      where u.workspace_id = w.id and ${sql.join(conditions, sql` and `)}
      order by u.hour desc limit 1
    ) as h`.execute(ctx.store.db);
  const hour = rows[0]?.hour ?? null;
  if (hour === null) return null;
  const after = new Date(hour.getTime() + hourMs);
  return after < before.at ? { at: after, id: "" } : before;
}
