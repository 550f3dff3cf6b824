import { sql } from "kysely";
import type { listGenerations } from "#contract/calls.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { hourMs } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { type CallRow, callRecord } from "./record.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { instantOfGeneration } from "../generation-id.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { workspaceScope } from "../workspaces/scope.ts";
import {
  byWorkspace,
  type Condition,
  endOfScan,
  filtersOf,
  isBefore,
  longestCallMs,
  notBefore,
  order,
  type Position,
  refuseUnlessInOrder,
  scanOf,
  type Source,
  sourceOf,
} from "./source.ts";

type Query = Parsed<typeof listGenerations>["query"];
type List = Output<typeof listGenerations>;

const pageSize = 50;
/** The most calls that a filter without an index scans for one page, so that a page never takes long. */
const longestScan = 20_000;
/** Later than any call. */
const end: Position = { at: new Date("9999-12-31T00:00:00Z"), id: "" };

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
  const source = sourceOf(workspaces, query);
  const stop =
    filters.length === 0
      ? null
      : await endOfScan(ctx, source, { before, since, scan: scanOf(longestScan, workspaces.length) });
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
  refuseUnlessInOrder({ since, until });
  if (cursor !== undefined) {
    const [at, id] = readCursor(cursor, "generations", ["instant", "text"]);
    return { at: new Date(at), id };
  }
  return until === undefined ? end : { at: new Date(until), id: "" };
}

function stopPosition(stop: Date | null): Position | null {
  return stop === null ? null : { at: stop, id: "" };
}

interface Page {
  readonly conditions: readonly Condition[];
  readonly before: Position;
  readonly limit: number;
}

/** Reads what a subquery named `l` selects of the ledger, with the names of keys and providers, in the given order. */
export async function readNamed(ctx: Context, selected: Condition, inOrder: Condition): Promise<CallRow[]> {
  const { rows } = await sql<CallRow>`
    select l.*, case when k.deleted_at is null then k.name end as key_name, k.purpose as key_purpose,
      p.name as provider_name
    from (${selected}) as l
    left join api_keys k on k.hash = l.key_hash
    left join providers p on p.slug = l.provider
    ${inOrder}`.execute(ctx.store.db);
  return rows;
}

async function read(ctx: Context, source: Source, { conditions, before, limit }: Page): Promise<CallRow[]> {
  const all = sql.join([isBefore(before), ...conditions], sql` and `);
  return await readNamed(ctx, sql`select l.* from ${source(all, sql`l.*`, limit, 0)} ${order} limit ${limit}`, order);
}

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
  const { model, provider, status, reason, api_key_hash: key, since } = query;
  const failed = status === "failed" || reason !== undefined || Number(status) >= 400;
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
