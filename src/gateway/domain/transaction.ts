import type pg from "pg";

type Work<T> = (client: pg.PoolClient) => Promise<T>;

const mostTries = 3;

/** Runs `work` in a transaction on a connection of its own; again when it was the one chosen to resolve a deadlock. */
export async function inTransaction<T>(pool: pg.Pool, work: Work<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await once(pool, work);
    } catch (error) {
      if (!isDeadlock(error) || tries === mostTries) throw error;
    }
  }
}

async function once<T>(pool: pg.Pool, work: Work<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** Whether the store ended a transaction so that the others in a deadlock can go on: the same succeeds later. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "40P01";
}
