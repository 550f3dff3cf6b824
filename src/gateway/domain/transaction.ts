import type pg from "pg";

type Work<T> = (client: pg.PoolClient) => Promise<T>;

const mostTries = 3;

export interface Patience {
  /**
   * after so long its connection is closed, and what waits for an answer on it rejects: one that went silent says nothing
   * of it for a quarter of an hour
   */
  readonly mostMs?: number | undefined;
  /** after so long without a statement the server ends the transaction: of a process that was frozen, others wait for it */
  readonly idleMs?: number;
}

/** Runs `work` in a transaction on a connection of its own; again when it was the one chosen to resolve a deadlock. */
export async function inTransaction<T>(pool: pg.Pool, work: Work<T>, patience: Patience = {}): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await once(pool, work, patience);
    } catch (error) {
      if (!isDeadlock(error) || tries === mostTries) throw error;
    }
  }
}

async function once<T>(pool: pg.Pool, work: Work<T>, { mostMs, idleMs }: Patience): Promise<T> {
  const client = await pool.connect();
  let isReleased = false;
  const release = (isSilent: boolean) => {
    if (!isReleased) client.release(isSilent);
    isReleased = true;
  };
  const silence = mostMs === undefined ? undefined : setTimeout(release, mostMs, true);
  try {
    const bound = idleMs === undefined ? "" : `; set local idle_in_transaction_session_timeout = ${idleMs}`;
    await client.query(`begin${bound}`);
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    clearTimeout(silence);
    release(false);
  }
}

/** Whether the store ended a transaction so that the others in a deadlock can go on: the same succeeds later. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "40P01";
}
