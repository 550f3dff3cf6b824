import type { Store } from "../../storage/store.ts";
import { deleteInSteps } from "./delete-in-steps.ts";

/** A sealed item of an answer. */
export interface SealedItem {
  readonly key: Buffer;
  readonly sealed: Buffer;
}

type Query = Pick<Store["pool"], "query">;

/** Agents continue within minutes, applications that store their conversations within days. */
export const daysKept = 7;
/** Of the keys that share a spending count. */
const mostItems = 4_096;
const mostBytes = 16 * 1_048_576;
/** Of all keys together: a thousand agents share it. */
const mostBytesOfAll = 1_024 * 1_048_576;
/** Beyond what is sealed: the row and its places in the indexes, bytes. */
const overheadBytes = 200;

const oldest = (now: Date) => new Date(now.getTime() - daysKept * 86_400_000);

/** The items of these keys that are there. */
export async function readItems(
  pool: Query,
  spendId: string,
  keys: readonly Buffer[],
  now: Date,
): Promise<SealedItem[]> {
  const { rows } = await pool.query<SealedItem>({
    name: "answered-items-read",
    text: "select key, sealed from answered_items where spend_id = $1 and key = any($2::bytea[]) and created_at > $3",
    values: [spendId, keys, oldest(now)],
  });
  return rows;
}

export async function writeItems(pool: Query, spendId: string, items: readonly SealedItem[], now: Date): Promise<void> {
  await pool.query({
    name: "answered-items-write",
    text: `
insert into answered_items (spend_id, key, created_at, bytes, sealed)
select $1, n.key, $2, length(n.sealed) + ${overheadBytes}, n.sealed from unnest($3::bytea[], $4::bytea[]) as n (key, sealed)
on conflict (spend_id, key) do update
  set created_at = excluded.created_at, bytes = excluded.bytes, sealed = excluded.sealed`,
    values: [spendId, now, items.map(({ key }) => key), items.map(({ sealed }) => sealed)],
  });
}

/** Deletes the oldest items of a spending count until it is within both bounds again. */
export async function evictItems(pool: Query, spendId: string): Promise<void> {
  await pool.query({
    name: "answered-items-evict",
    text: `
delete from answered_items i using (
  select key, row_number() over newest as rank, sum(bytes) over newest as total
  from answered_items where spend_id = $1 window newest as (order by created_at desc, key)
) o where i.spend_id = $1 and i.key = o.key and (o.rank > ${mostItems} or o.total > ${mostBytes})`,
    values: [spendId],
  });
}

const entries = { table: "answered_items", owner: "spend_id" };

/**
 * Deletes what is too old, or of keys that are deleted, and what is beyond the bounds.
 * @param mostOfAll bytes
 */
export async function tidyItems(
  { pool }: Pick<Store, "pool">,
  now: Date,
  mostOfAll: number = mostBytesOfAll,
): Promise<void> {
  await deleteInSteps(pool, entries, "created_at <= $1", [oldest(now)]);
  await deleteInSteps(pool, entries, "spend_id not in (select spend_id from api_keys where deleted_at is null)");
  const { rows } = await pool.query<{ spend_id: string }>(
    `select spend_id from answered_items group by spend_id having sum(bytes) > ${mostBytes} or count(*) > ${mostItems}`,
  );
  for (const { spend_id: id } of rows) await evictItems(pool, id);
  const { rows: sums } = await pool.query<{ bytes: string | null }>("select sum(bytes) as bytes from answered_items");
  if (Number(sums[0]?.bytes ?? 0) > mostOfAll) await evictOldest(pool, mostOfAll);
}

async function evictOldest(pool: Query, most: number): Promise<void> {
  const { rows } = await pool.query<{ created_at: Date }>(
    `select created_at from (
       select created_at, sum(bytes) over (order by created_at desc, key) as total from answered_items
     ) newest where total > $1 order by created_at desc limit 1`,
    [most],
  );
  if (rows[0] !== undefined) await deleteInSteps(pool, entries, "created_at <= $1", [rows[0].created_at]);
}

/** Deletes all items: under another secret key none of them is found. */
export async function forgetItems({ pool }: Pick<Store, "pool">): Promise<number> {
  const { rowCount } = await pool.query("delete from answered_items");
  return rowCount ?? 0;
}
