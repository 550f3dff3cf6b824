// What the benches of long lists share: a store with many rows, and how long it takes to read a page of them.
import { readConfig } from "#gateway/config.ts";
import { openDeps } from "#gateway/app/open.ts";
import type { Context } from "#gateway/domain/context.ts";
import { seed } from "#gateway/domain/instance/bootstrap.ts";
import { makeContext } from "#gateway/testing/context.ts";
import type { PoolClient } from "pg";
import { makeFolder, startEngine } from "./harness.ts";
import { percentile, printTable } from "./figures.ts";

const repeats = 25;
const askedMs = 50;

/** The time at which the benches of lists read. */
export const now = new Date("2026-11-21T12:00:00Z");

export const workspaceId = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;

/** Opens a store with so many workspaces, and fills it. */
export async function openFilled(
  engine: string,
  workspaces: number,
  fill: (client: PoolClient) => Promise<void>,
): Promise<{ ctx: Context } & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeFolder());
  const server = opened.use(await startEngine(engine));
  const config = readConfig({ GATEHOUSE_DATA_DIR: folder.path, DATABASE_URL: await server.database() });
  const deps = await openDeps(config, { now: () => now });
  opened.defer(() => deps.store.close());
  await seed(deps, null);
  const client = await deps.store.pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query(
      `insert into workspaces (id, slug, name, created_at, default_guardrail_id)
       select ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, 'w' || i, 'W' || i, $1, gen_random_uuid()
       from generate_series(0, $2::int - 1) as i`,
      [now, workspaces],
    );
    await fill(client);
  } finally {
    client.release();
  }
  const kept = opened.move();
  return { ctx: makeContext(deps), [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** p50 and p95 of what is done again and again. */
export async function timed(work: () => Promise<unknown>): Promise<[number, number]> {
  await work();
  const times: number[] = [];
  while (times.length < repeats) times.push(await tookMs(work));
  return [rounded(percentile(times, 50)), rounded(percentile(times, 95))];
}

type List = (cursor?: string) => Promise<{ next_cursor: string | null }>;

/** p50 and p95 of the first page, and the p95 of the pages two to eleven, each read once. */
export async function timedPages(list: List): Promise<[number, number, number | string]> {
  const first = await timed(() => list());
  const further: number[] = [];
  let { next_cursor: cursor } = await list();
  while (cursor !== null && further.length < 10) {
    const at: string = cursor;
    further.push(await tookMs(async () => ({ next_cursor: cursor } = await list(at))));
  }
  return [...first, further.length === 0 ? "-" : rounded(percentile(further, 95))];
}

/** Prints rows of a store, a query, p50, p95 and the p95 further on; a name in brackets has no bound. */
export function printReads(title: string, rows: (string | number)[][]): void {
  printTable(
    `${title}, milliseconds at the server (asked: p95 ≤ ${askedMs})`,
    ["store", "query", "p50", "p95", "p95 ten pages further"],
    rows,
  );
  const missed = rows.filter(
    ([, query, , first, further]) =>
      !String(query).startsWith("(") && Math.max(Number(first), Number(further) || 0) > askedMs,
  );
  console.log(missed.length === 0 ? "All met." : `${missed.length} missed: ${missed.map((row) => row[1]).join("; ")}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
