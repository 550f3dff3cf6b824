import { sql } from "kysely";
import type { CallEntry, listCalls, RefusedEntry } from "#contract/call-list.ts";
import type { listGenerations } from "#contract/calls.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { Context } from "../context.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { workspaceScope } from "../workspaces/scope.ts";
import * as calls from "./calls.ts";
import { mostCounted } from "./counts.ts";
import { type CallRow, callRecord } from "./record.ts";
import { refusedRecord, type RefusedRow } from "./refused-calls.ts";
import {
  endOfScan,
  filtersOf,
  isRefusable,
  minuteOf,
  type Position,
  refusedFilters,
  refuseUnlessInOrder,
  scanOf,
  sourceOf,
} from "./source.ts";

type Query = Parsed<typeof listCalls>["query"];
type List = Output<typeof listCalls>;

const pageSize = 50;
/** Later than any call. */
const end: Position = { at: new Date("9999-12-31T00:00:00Z"), id: "" };
/** No call that was made is refused: they need not be scanned, which would end a page early. */
const noCalls: Output<typeof listGenerations> = { data: [], next_cursor: null, looked_back_to: null };

/** Calls that were made and calls that were refused, newest first; or the made ones by what they came to. */
export async function list(ctx: Context, query: Query, most = mostCounted): Promise<List> {
  refuseUnlessManagement(ctx);
  refuseUnlessInOrder(query);
  const { sort = "time", order = "desc", ...filters } = query;
  if (sort !== "time") return await ranked(ctx, filters, { sort, order }, most);
  const { cursor, limit: size = pageSize, ...rest } = filters;
  const [at, id] = cursor === undefined ? [] : readCursor(cursor, "calls", ["instant", "text"]);
  const before = at === undefined || id === undefined ? end : { at: new Date(at), id };
  const made =
    rest.status === "refused"
      ? noCalls
      : await calls.list(ctx, {
          ...rest,
          limit: size,
          ...(cursor !== undefined && { cursor: writeCursor("generations", [before.at.toISOString(), before.id]) }),
        });
  const next = made.next_cursor === null ? null : readCursor(made.next_cursor, "generations", ["instant", "text"]);
  const refused = await refusedBetween(ctx, rest, { before, from: made.looked_back_to, limit: size + 1 });
  const all = merge(
    made.data.map((call) => ({ kind: "call", call })),
    refused,
  );
  const data = all.slice(0, size);
  const last = data.at(-1);
  const further = all.length > size && last !== undefined ? positionOf(last) : next;
  return {
    data,
    next_cursor: further === null ? null : writeCursor("calls", further),
    looked_back_to: further === null ? null : further[0],
    ranked_since: null,
  };
}

/** Where an entry is in the list. At one instant ids of refused calls come after those of calls, in any collation. */
function positionOf(entry: CallEntry): [at: string, id: string] {
  return entry.kind === "call" ? [entry.call.created_at, entry.call.id] : [entry.refused.first_at, entry.id];
}

/** Both lists are newest first already. */
function merge(made: readonly CallEntry[], refused: readonly CallEntry[]): CallEntry[] {
  const at = (entry: CallEntry) => positionOf(entry)[0];
  return [...refused, ...made].toSorted((one, other) => (at(one) === at(other) ? 0 : at(one) < at(other) ? 1 : -1));
}

interface Stretch {
  readonly before: Position;
  /** an instant; null: to the first */
  readonly from: string | null;
  readonly limit: number;
}

async function refusedBetween(
  ctx: Context,
  query: Omit<Query, "cursor" | "limit" | "sort" | "order">,
  { before, from, limit }: Stretch,
): Promise<RefusedEntry[]> {
  if (!isRefusable(query)) return [];
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  const id = sql`('ref-' || r.key_hash || '-' || r.reason || '-' || r.status || '-' || extract(epoch from r.minute)::int8)`;
  const conditions = [
    // the minute has the index
    sql`r.minute <= ${before.at} and (r.first_at, ${id}) < (${before.at}::timestamptz, ${before.id}::text)`,
    ...refusedFilters(workspaces, query),
    ...(query.since === undefined ? [] : [sql`r.minute >= ${minuteOf(new Date(query.since))}`]),
    ...(query.until === undefined ? [] : [sql`r.minute < ${new Date(query.until)}`]),
    ...(from === null ? [] : [sql`r.minute >= ${minuteOf(new Date(from))} and r.first_at >= ${new Date(from)}`]),
  ];
  const { rows } = await sql<RefusedRow & { id: string }>`
    select r.*, k.name as key_name from (
      select r.*, ${id} as id from refused_calls r where ${sql.join(conditions, sql` and `)}
      order by r.minute desc, r.first_at desc, ${id} desc limit ${limit}
    ) as r
    left join api_keys k on k.hash = r.key_hash and k.deleted_at is null
    order by r.minute desc, r.first_at desc, r.id desc`.execute(ctx.store.db);
  return rows.map((row) => ({ kind: "refused", id: row.id, refused: refusedRecord(row) }));
}

interface Ranking {
  readonly sort: "cost" | "tokens" | "duration";
  readonly order: "asc" | "desc";
}

const values = {
  cost: sql`l.cost`,
  tokens: sql`(l.prompt_tokens::int8 + l.completion_tokens)`,
  duration: sql`l.duration_ms::int8`,
};

/** The newest calls, at most as many as are counted, by what each came to. */
async function ranked(
  ctx: Context,
  { cursor, limit: size = pageSize, ...query }: Omit<Query, "sort" | "order">,
  { sort, order }: Ranking,
  most: number,
): Promise<List> {
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  const name = `calls by ${sort} ${order}`;
  const [value, at, id, bound] =
    cursor === undefined ? [] : readCursor(cursor, name, ["integer", "instant", "text", "bound"]);
  // every page is of the same calls
  const stop = bound ?? (await boundOf(ctx, query, workspaces, most));
  const of = values[sort];
  const direction = sql.raw(order);
  const inOrder = sql`order by ${of} ${direction}, l.created_at ${direction}, l.id ${direction}`;
  const conditions = [
    sql`l.workspace_id = any(${workspaces}::uuid[]) and l.created_at >= ${stop}::timestamptz`,
    ...(query.api_key_hash === undefined ? [] : [sql`l.key_hash = ${query.api_key_hash}`]),
    ...(query.since === undefined ? [] : [sql`l.created_at >= ${new Date(query.since)}`]),
    ...(query.until === undefined ? [] : [sql`l.created_at < ${new Date(query.until)}`]),
    ...filtersOf(query),
    ...(value === undefined
      ? []
      : [
          sql`(${of}, l.created_at, l.id) ${sql.raw(order === "asc" ? ">" : "<")}
            (${value}::int8, ${at}::timestamptz, ${id}::text)`,
        ]),
  ];
  const rows = await calls.readNamed(
    ctx,
    sql`select l.* from ledger l where ${sql.join(conditions, sql` and `)} ${inOrder} limit ${size + 1}`,
    inOrder,
  );
  const page = rows.slice(0, size);
  const last = page.at(-1);
  const next =
    rows.length > size && last !== undefined
      ? [String(valueOf(last, sort)), last.created_at.toISOString(), last.id, stop]
      : null;
  return {
    data: page.map((row) => ({ kind: "call", call: callRecord(row) })),
    next_cursor: next === null ? null : writeCursor(name, next),
    looked_back_to: null,
    ranked_since: stop === "-infinity" ? null : stop,
  };
}

function valueOf(row: CallRow, sort: Ranking["sort"]): bigint | number {
  if (sort === "cost") return row.cost;
  return sort === "tokens" ? row.prompt_tokens + row.completion_tokens : row.duration_ms;
}

/** Since when no more calls were made than are ranked; all, where there are fewer. */
async function boundOf(
  ctx: Context,
  query: Omit<Query, "sort" | "order" | "cursor" | "limit">,
  workspaces: readonly string[],
  most: number,
): Promise<string> {
  const isNarrow = query.api_key_hash !== undefined || query.batch_id !== undefined;
  const stop = await endOfScan(ctx, sourceOf(workspaces, query), {
    before: query.until === undefined ? end : { at: new Date(query.until), id: "" },
    since: query.since === undefined ? null : new Date(query.since),
    scan: isNarrow ? most : scanOf(most, workspaces.length),
  });
  return stop?.toISOString() ?? "-infinity";
}
