import { type RawBuilder, sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { countKeys, KeyExpiry, KeyStatus, LimitState, listKeys } from "#contract/keys.ts";
import type { Context } from "../context.ts";
import { countedSince } from "./counted-since.ts";
import { madeKeysOf, withSpentMaker } from "./made-keys.ts";
import { keyOrder, type Order, type Position } from "./order.ts";
import { keyRecord, type KeyRow } from "./record.ts";
import { searchFilter } from "./search.ts";
import { hasStatus } from "../key-status.ts";
import { noSpend, spendOfRow } from "../ledger/limits.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid } from "../refusal.ts";
import { knownUserIds } from "../user-id.ts";

type List = typeof listKeys;
type Count = typeof countKeys;
type Condition = RawBuilder<unknown>;
type Row = KeyRow & Position;

const pageSize = 100;
const dayMs = 86_400_000;

/**
 * One page of ordinary keys. Without parameters as the public API has it: newest first, of the default workspace,
 * disabled ones left out.
 */
export async function list(ctx: Context, query: Parsed<List>["query"]): Promise<Output<List>> {
  refuseUnlessManagement(ctx);
  if (query.cursor !== undefined && query.offset !== undefined)
    throw invalid("offset", "cannot be combined with cursor");
  const now = ctx.now();
  const order = keyOrder(query.sort ?? "created_at", query.order ?? "desc", query.cursor, now);
  const conditions = [...(await filters(ctx, query, now)), ...(order.after === null ? [] : [order.after])];
  if (query.status !== undefined) conditions.push(hasStatus(query.status, now));
  else if (query.include_disabled !== true) conditions.push(sql`not k.disabled`);
  const size = query.limit ?? pageSize;
  const window = { limit: size + 1, offset: query.offset ?? 0 };
  const search = query.q === undefined ? null : searchFilter(query.q);
  const found = await (search === null
    ? read(ctx, conditions, order, window)
    : find(ctx, { conditions, search }, order, window));
  const page = found.slice(0, size);
  const last = page.at(-1);
  return {
    data: await records(ctx, page, now),
    next_cursor: found.length > size && last !== undefined ? order.cursorAfter(last) : null,
  };
}

interface Window {
  limit: number;
  offset: number;
}

async function read(ctx: Context, conditions: Condition[], order: Order, { limit, offset }: Window): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select k.*, ${order.position} from ${source(order)}
    where ${all(conditions)}
    order by ${order.orderBy} limit ${limit} offset ${offset}`.execute(ctx.store.db);
  return rows;
}

interface Search {
  conditions: Condition[];
  search: Condition;
}

/** How many rows are scanned in the list's own order before the search index is considered. */
const firstScan = 1_000;

/**
 * There are two ways to search, and the planner cannot know which is faster: a common word fills the page from the
 * first rows of the list's own order, a rare one is found by the trigram index. So a bounded number of rows is scanned
 * first, and the number of matches decides how to continue.
 */
async function find(ctx: Context, search: Search, order: Order, window: Window): Promise<Row[]> {
  if (order.longestScan === 0) return await askIndex(ctx, search, order, window);
  const wanted = window.limit + window.offset;
  const near = await lookThrough(ctx, search, order, { wanted, rowCount: firstScan });
  if (near.length === wanted) return near.slice(window.offset);
  const enough = Math.ceil((wanted * firstScan * 1.5) / near.length);
  if (enough <= order.longestScan) {
    const further = await lookThrough(ctx, search, order, { wanted, rowCount: enough });
    if (further.length === wanted) return further.slice(window.offset);
  }
  return await askIndex(ctx, search, order, window);
}

async function lookThrough(
  ctx: Context,
  { conditions, search }: Search,
  order: Order,
  { wanted, rowCount }: { wanted: number; rowCount: number },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from (
      select k.*, ${order.position}, row_number() over (order by ${order.orderBy}) as place from ${source(order)}
      where ${all(conditions)}
      order by ${order.orderBy} limit ${rowCount}
    ) as near
    where ${search} order by place limit ${wanted}`.execute(ctx.store.db);
  return rows;
}

async function askIndex(
  ctx: Context,
  { conditions, search }: Search,
  order: Order,
  { limit, offset }: Window,
): Promise<Row[]> {
  const anywhere = conditions.filter((condition) => condition !== order.after);
  const { rows } = await sql<Row>`
    with k as materialized (select * from api_keys as k where ${all([...anywhere, search])})
    select k.*, ${order.position} from ${order.needsSpends ? sql`k join spends as s on s.id = k.spend_id` : sql`k`}
    ${order.after === null ? sql`` : sql`where ${order.after}`}
    order by ${order.orderBy} limit ${limit} offset ${offset}`.execute(ctx.store.db);
  return rows;
}

function source(order: Order): RawBuilder<unknown> {
  return order.needsSpends ? sql`spends as s join api_keys as k on k.spend_id = s.id` : sql`api_keys as k`;
}

/** The condition that every index of the list is built for. */
export const listed = sql`k.kind = 'ordinary' and k.deleted_at is null`;

function all(conditions: Condition[]): RawBuilder<unknown> {
  return sql.join([listed, ...conditions], sql` and `);
}

function inWorkspace(id: string | undefined): Condition[] {
  if (id === "all") return [];
  // A subquery saves a round trip; it is evaluated once.
  const one = id === undefined ? sql`(select id from workspaces where is_default)` : sql`${id}::uuid`;
  return [sql`k.workspace_id = ${one}`];
}

/** The filters that the list and its counts share. */
async function filters({ store }: Context, query: Parsed<Count>["query"], now: Date): Promise<Condition[]> {
  const conditions = inWorkspace(query.workspace_id);
  if (query.limit_state !== undefined) conditions.push(hasLimitState(query.limit_state, now));
  if (query.expires !== undefined) conditions.push(ends(query.expires, now));
  if (query.creator !== undefined) {
    const [creator] = await knownUserIds(store.db, [query.creator]);
    conditions.push(sql`k.creator_user_id = ${creator}`);
  }
  return conditions;
}

/** Near and over, by the hints that the ledger maintains: see `limitHints`. */
export function hasLimitState(state: LimitState, now: Date): Condition {
  return {
    near: sql`k.near_limit_until > ${now} and (k.spent_out_until is null or k.spent_out_until <= ${now})`,
    over: sql`k.spent_out_until > ${now}`,
    some: sql`k.limit_nano is not null`,
    none: sql`k.limit_nano is null`,
  }[state];
}

function ends(expires: KeyExpiry, now: Date): Condition {
  const within = (days: number) =>
    sql`k.expires_at > ${now} and k.expires_at <= ${new Date(now.getTime() + days * dayMs)}`;
  return { "7d": within(7), "30d": within(30), never: sql`coalesce(k.expires_at, 'infinity') = 'infinity'` }[expires];
}

export async function records(ctx: Context, rows: KeyRow[], now: Date) {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map((row) => row.spend_id))];
  const spends = await ctx.store.db.selectFrom("spends").selectAll().where("id", "in", ids).execute();
  const byId = new Map(spends.map((row) => [row.id, spendOfRow(row)] as const));
  const made = await madeKeysOf(
    ctx.store,
    rows.map(({ hash }) => hash),
  );
  const since = await countedSince(ctx.store.db, rows);
  const spentOut = await withSpentMaker(ctx.store, rows, now);
  return rows.map((row) => {
    const { hash, spend_id: id } = row;
    const spend = byId.get(id) ?? noSpend(now);
    return keyRecord(row, { spend, since: since.get(id), made: made.get(hash), makerIsSpent: spentOut.has(hash) }, now);
  });
}

/** Counting stops here for each status. */
const mostCounted = 10_000;

/** How many keys fit a condition over `api_keys k`, one more than {@link mostCounted} at most. */
export function countedUpTo(condition: Condition): Condition {
  return sql`(select count(*) from (select 1 from api_keys as k where ${condition} limit ${mostCounted + 1}) as found)`;
}

export async function count(ctx: Context, query: Parsed<Count>["query"]): Promise<Output<Count>> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const search = query.q === undefined ? null : searchFilter(query.q);
  const conditions = [...(await filters(ctx, query, now)), ...(search === null ? [] : [search])];
  const counted = (status: Condition) => countedUpTo(all([...conditions, status]));
  const { rows } = await sql<Record<KeyStatus, bigint>>`
    select ${counted(hasStatus("active", now))} as active, ${counted(hasStatus("over_limit", now))} as over_limit,
      ${counted(hasStatus("expired", now))} as expired, ${counted(hasStatus("disabled", now))} as disabled`.execute(
    ctx.store.db,
  );
  const found = rows[0] ?? { active: 0n, over_limit: 0n, expired: 0n, disabled: 0n };
  return {
    data: {
      // Every key has exactly one status.
      all: capped(found.active + found.over_limit + found.expired + found.disabled),
      active: capped(found.active),
      over_limit: capped(found.over_limit),
      expired: capped(found.expired),
      disabled: capped(found.disabled),
    },
  };
}

export function capped(counted: bigint) {
  return { count: Math.min(Number(counted), mostCounted), more: counted > mostCounted };
}
