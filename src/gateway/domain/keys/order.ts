import { type RawBuilder, sql } from "kysely";
import type { KeySort } from "#contract/keys.ts";
import { readCursor, writeCursor } from "../cursor.ts";

/** One sort order of the list: the deciding column, and its form in a cursor. */
interface Column {
  /** as in the index; never null */
  by: RawBuilder<unknown>;
  cast: RawBuilder<unknown>;
  form: "instant" | "bound" | "text" | "integer";
  /** the tie-breaker */
  tie: { by: RawBuilder<unknown>; cast: RawBuilder<unknown>; form: "hash" | "uuid" };
}

const byHash = { by: sql`k.hash`, cast: sql`text`, form: "hash" } as const;

/** Each has its own index, which can be read in either direction. */
const columns: Record<KeySort, Column> = {
  created_at: { by: sql`k.created_at`, cast: sql`timestamptz`, form: "instant", tie: byHash },
  name: {
    by: sql`lower(k.name) collate "C"`,
    cast: sql`text`,
    form: "text",
    tie: { ...byHash, by: sql`k.hash collate "C"` },
  },
  expires_at: { by: sql`coalesce(k.expires_at, 'infinity')`, cast: sql`timestamptz`, form: "bound", tie: byHash },
  last_used_at: {
    by: sql`coalesce(k.last_used_at, '-infinity')`,
    cast: sql`timestamptz`,
    form: "bound",
    tie: byHash,
  },
  usage: {
    by: sql`s.total`,
    cast: sql`int8`,
    form: "integer",
    tie: { by: sql`s.id`, cast: sql`uuid`, form: "uuid" },
  },
};

/** An order of the list, ready to be put into a statement over `api_keys k` (and `spends s` for usage). */
export interface Order {
  needsSpends: boolean;
  /** how many rows a search scans in this order before the search index is faster */
  longestScan: number;
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
export function keyOrder(sort: KeySort, direction: "asc" | "desc", cursor: string | undefined): Order {
  const { by, cast, form, tie } = columns[sort];
  const list = `keys:${sort}:${direction}`;
  const down = sql.raw(direction);
  const beyond = sql.raw(direction === "asc" ? ">" : "<");
  let after: RawBuilder<unknown> | null = null;
  if (cursor !== undefined) {
    const [position, tied, hash] = readCursor(cursor, list, [form, tie.form, "hash"]);
    const here = sql`(${position}::${cast}, ${tied}::${tie.cast})`;
    // A rotated key and its successors share one count, so usage and its tie-breaker can be equal; then the hash
    // decides.
    after =
      sort === "usage"
        ? sql`(${by}, ${tie.by}) ${beyond}= ${here} and ((${by}, ${tie.by}) ${beyond} ${here} or k.hash ${beyond} ${hash})`
        : sql`(${by}, ${tie.by}) ${beyond} ${here}`;
  }
  return {
    needsSpends: sort === "usage",
    // Rows lie in the table in creation order: reading in that order gets them page by page, any other one by one.
    longestScan: sort === "created_at" ? 30_000 : 5_000,
    position: sql`(${by})::text as position, (${tie.by})::text as tie`,
    orderBy: sql`${by} ${down}, ${tie.by} ${down}${sort === "usage" ? sql`, k.hash ${down}` : sql``}`,
    after,
    cursorAfter: (row) => writeCursor(list, [row.position, row.tie, row.hash]),
  };
}
