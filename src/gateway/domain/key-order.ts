import { type RawBuilder, sql } from "kysely";
import type { KeySort } from "#contract/keys.ts";
import { readCursor, writeCursor } from "./cursor.ts";

/** One way to order the list: what of each row decides, and what that looks like in a cursor. */
interface Column {
  /** as it is in the index; it is never null */
  by: RawBuilder<unknown>;
  cast: RawBuilder<unknown>;
  form: "instant" | "text" | "integer";
  /** what decides among equals */
  tie: { by: RawBuilder<unknown>; cast: RawBuilder<unknown>; form: "hash" | "uuid" };
}

const byHash = { by: sql`k.hash`, cast: sql`text`, form: "hash" } as const;

/** Each has an index of its own, which it is read from in either direction. */
const columns: Record<KeySort, Column> = {
  created_at: { by: sql`k.created_at`, cast: sql`timestamptz`, form: "instant", tie: byHash },
  name: {
    by: sql`lower(k.name) collate "C"`,
    cast: sql`text`,
    form: "text",
    tie: { ...byHash, by: sql`k.hash collate "C"` },
  },
  expires_at: { by: sql`coalesce(k.expires_at, 'infinity')`, cast: sql`timestamptz`, form: "instant", tie: byHash },
  last_used_at: {
    by: sql`coalesce(k.last_used_at, '-infinity')`,
    cast: sql`timestamptz`,
    form: "instant",
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
  /** how many rows a search may look through in this order before the search index is the shorter way */
  longestLook: number;
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
    // A rotated key and its successors share one count, so that usage and its tie can be equal; the hash decides then.
    after =
      sort === "usage"
        ? sql`(${by}, ${tie.by}) ${beyond}= ${here} and ((${by}, ${tie.by}) ${beyond} ${here} or k.hash ${beyond} ${hash})`
        : sql`(${by}, ${tie.by}) ${beyond} ${here}`;
  }
  return {
    needsSpends: sort === "usage",
    // Keys lie in the table as they were made: in that order rows come by the page, in any other one by one.
    longestLook: sort === "created_at" ? 30_000 : 5_000,
    position: sql`(${by})::text as position, (${tie.by})::text as tie`,
    orderBy: sql`${by} ${down}, ${tie.by} ${down}${sort === "usage" ? sql`, k.hash ${down}` : sql``}`,
    after,
    cursorAfter: (row) => writeCursor(list, [row.position, row.tie, row.hash]),
  };
}
