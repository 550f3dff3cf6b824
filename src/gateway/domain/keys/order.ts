import { type RawBuilder, sql } from "kysely";
import type { KeySort } from "#contract/keys.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { statusRank } from "../key-status.ts";
import { lastsUntil, leftOfLimit, usageIn } from "./spend-order.ts";

/** One sort order of the list: the deciding column, and its form in a cursor. */
interface Column {
  /** as in the index, where there is one; never null */
  by: RawBuilder<unknown>;
  cast: RawBuilder<unknown>;
  form: "instant" | "bound" | "text" | "integer";
  /** the tie-breaker */
  tie: { by: RawBuilder<unknown>; cast: RawBuilder<unknown>; form: "hash" | "uuid" };
  /** how many rows a search scans in this order before the search index is faster */
  longestScan: number;
}

const byHash = { by: sql`k.hash`, cast: sql`text`, form: "hash" } as const;

/** Each has its own index, which can be read in either direction. */
const indexed = {
  created_at: {
    by: sql`k.created_at`,
    cast: sql`timestamptz`,
    form: "instant",
    tie: byHash,
    // Rows lie in the table in creation order: reading in that order gets them page by page, any other one by one.
    longestScan: 30_000,
  },
  name: {
    by: sql`lower(k.name) collate "C"`,
    cast: sql`text`,
    form: "text",
    tie: { ...byHash, by: sql`k.hash collate "C"` },
    longestScan: 5_000,
  },
  expires_at: {
    by: sql`coalesce(k.expires_at, 'infinity')`,
    cast: sql`timestamptz`,
    form: "bound",
    tie: byHash,
    longestScan: 5_000,
  },
  last_used_at: {
    by: sql`coalesce(k.last_used_at, '-infinity')`,
    cast: sql`timestamptz`,
    form: "bound",
    tie: byHash,
    longestScan: 5_000,
  },
  usage: {
    by: sql`s.total`,
    cast: sql`int8`,
    form: "integer",
    tie: { by: sql`s.id`, cast: sql`uuid`, form: "uuid" },
    longestScan: 5_000,
  },
} as const satisfies Partial<Record<KeySort, Column>>;

/** These change with the clock or lie in other tables, so every key that fits is looked at. */
const computed: Record<Exclude<KeySort, keyof typeof indexed>, (now: Date) => RawBuilder<unknown>> = {
  usage_daily: (now) => usageIn("day", "own", now),
  usage_weekly: (now) => usageIn("week", "own", now),
  usage_monthly: (now) => usageIn("month", "own", now),
  byok_usage: () => sql`s.byok_total`,
  byok_usage_daily: (now) => usageIn("day", "byok", now),
  byok_usage_weekly: (now) => usageIn("week", "byok", now),
  byok_usage_monthly: (now) => usageIn("month", "byok", now),
  limit_remaining: leftOfLimit,
  lasts_until: lastsUntil,
  status: statusRank,
  workspace: () => sql`(select lower(w.name) collate "C" from workspaces as w where w.id = k.workspace_id)`,
};

function isIndexed(sort: KeySort): sort is keyof typeof indexed {
  return sort in indexed;
}

/** An order of the list, ready to be put into a statement over `api_keys k` (and `spends s` where it needs it). */
export interface Order extends Pick<Column, "longestScan"> {
  needsSpends: boolean;
  /** the select list's part that {@link Order.cursorAfter} needs */
  position: RawBuilder<unknown>;
  orderBy: RawBuilder<unknown>;
  /** the condition for what comes after the cursor; null without one */
  after: RawBuilder<unknown> | null;
  cursorAfter(row: Position): string;
}

export interface Position {
  hash: string;
  position: string;
  tie: string;
}

/** @throws Refusal 400 for a cursor of another order */
export function keyOrder(sort: KeySort, direction: "asc" | "desc", cursor: string | undefined, now: Date): Order {
  const list = `keys:${sort}:${direction}`;
  if (!isIndexed(sort)) return computedOrder(sort, direction, { list, cursor }, now);
  const column: Column = indexed[sort];
  const { by, tie } = column;
  const down = sql.raw(direction);
  const beyond = sql.raw(direction === "asc" ? ">" : "<");
  let after: RawBuilder<unknown> | null = null;
  if (cursor !== undefined) {
    const [position, tied, hash] = readCursor(cursor, list, [column.form, tie.form, "hash"]);
    const here = sql`(${position}::${column.cast}, ${tied}::${tie.cast})`;
    // A rotated key and its successors share one count, so usage and its tie-breaker can be equal; then the hash
    // decides.
    after =
      sort === "usage"
        ? sql`(${by}, ${tie.by}) ${beyond}= ${here} and ((${by}, ${tie.by}) ${beyond} ${here} or k.hash ${beyond} ${hash})`
        : sql`(${by}, ${tie.by}) ${beyond} ${here}`;
  }
  return {
    needsSpends: sort === "usage",
    longestScan: column.longestScan,
    position: sql`(${by})::text as position, (${tie.by})::text as tie`,
    orderBy: sql`${by} ${down}, ${tie.by} ${down}${sort === "usage" ? sql`, k.hash ${down}` : sql``}`,
    after,
    cursorAfter: (row) => writeCursor(list, [row.position, row.tie, row.hash]),
  };
}

/** Its cursor keeps the instant of the first page, at which every page is computed. */
function computedOrder(
  sort: keyof typeof computed,
  direction: "asc" | "desc",
  { list, cursor }: { list: string; cursor: string | undefined },
  now: Date,
): Order {
  const [form, cast] = sort === "workspace" ? (["text", sql`text`] as const) : (["integer", sql`int8`] as const);
  const read = cursor === undefined ? null : readCursor(cursor, list, ["instant", form, "hash"]);
  const at = read === null ? now : new Date(read[0].replace(" ", "T").replace(/\+00(:00)?$/, "Z"));
  const by = sql`(${computed[sort](at)})::${cast}${form === "text" ? sql` collate "C"` : sql``}`;
  const down = sql.raw(direction);
  const beyond = sql.raw(direction === "asc" ? ">" : "<");
  return {
    needsSpends: true,
    longestScan: 0,
    position: sql`(${by})::text as position, k.hash as tie`,
    orderBy: sql`${by} ${down}, k.hash ${down}`,
    after: read === null ? null : sql`(${by}, k.hash) ${beyond} (${read[1]}::${cast}, ${read[2]}::text)`,
    cursorAfter: (row) => writeCursor(list, [at.toISOString(), row.position, row.hash]),
  };
}
