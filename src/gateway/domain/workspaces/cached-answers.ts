import type { Store } from "../../storage/store.ts";
import { deleteInSteps } from "./delete-in-steps.ts";

/** A sealed answer of the response cache, and until when it may be given. */
export interface SealedAnswer {
  readonly key: Buffer;
  readonly sealed: Buffer;
  readonly expiresAt: Date;
}

type Query = Pick<Store["pool"], "query">;

/** Of a workspace. */
const mostAnswers = 4_096;
/** Beyond what is sealed: the row and its places in the indexes, bytes. */
const overheadBytes = 200;

/** Undefined where there is none, or it is too old. */
export async function readAnswer(
  pool: Query,
  workspaceId: string,
  key: Buffer,
  now: Date,
): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ sealed: Buffer }>({
    name: "response-cache-read",
    text: "select sealed from cached_answers where workspace_id = $1 and key = $2 and expires_at > $3",
    values: [workspaceId, key, now],
  });
  return rows[0]?.sealed;
}

export async function writeAnswer(
  pool: Query,
  workspaceId: string,
  { key, sealed, expiresAt }: SealedAnswer,
  now: Date,
): Promise<void> {
  await pool.query({
    name: "response-cache-write",
    text: `
insert into cached_answers (workspace_id, key, created_at, expires_at, bytes, sealed) values ($1, $2, $3, $4, $5, $6)
on conflict (workspace_id, key) do update set
  created_at = excluded.created_at, expires_at = excluded.expires_at, bytes = excluded.bytes, sealed = excluded.sealed`,
    values: [workspaceId, key, now, expiresAt, sealed.length + overheadBytes, sealed],
  });
}

export async function deleteAnswer(pool: Query, workspaceId: string, key: Buffer): Promise<void> {
  await pool.query({
    name: "response-cache-delete",
    text: "delete from cached_answers where workspace_id = $1 and key = $2",
    values: [workspaceId, key],
  });
}

/** Deletes a workspace's oldest answers until it is within both bounds again. */
export async function evictAnswers(pool: Query, workspaceId: string, mostBytes: number): Promise<void> {
  await pool.query({
    name: "response-cache-evict",
    text: `
delete from cached_answers c using (
  select key, row_number() over newest as rank, sum(bytes) over newest as total
  from cached_answers where workspace_id = $1 window newest as (order by created_at desc, key)
) o where c.workspace_id = $1 and c.key = o.key and (o.rank > $2 or o.total > $3)`,
    values: [workspaceId, mostAnswers, mostBytes],
  });
}

const entries = { table: "cached_answers", owner: "workspace_id" };

/** Deletes what is too old or of a deleted workspace, and what is beyond the bounds. @param mostBytes of a workspace */
export async function tidyAnswers({ pool }: Pick<Store, "pool">, mostBytes: number, now: Date): Promise<void> {
  await deleteInSteps(pool, entries, "expires_at <= $1", [now]);
  await deleteInSteps(pool, entries, "workspace_id in (select id from workspaces where deleted_at is not null)");
  const { rows } = await pool.query<{ workspace_id: string }>(
    `select workspace_id from cached_answers group by workspace_id having sum(bytes) > $1 or count(*) > ${mostAnswers}`,
    [mostBytes],
  );
  for (const { workspace_id: id } of rows) await evictAnswers(pool, id, mostBytes);
}

/** Deletes all answers: another secret key finds none of them. */
export async function forgetAnswers({ pool }: Pick<Store, "pool">): Promise<number> {
  const { rowCount } = await pool.query("delete from cached_answers");
  return rowCount ?? 0;
}
