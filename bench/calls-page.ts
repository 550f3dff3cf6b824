// How long one page of the list of calls takes at the server, with a million calls in each of two workspaces.
// Usage: node bench/calls-page.ts [calls] [embedded|postgres]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { listGenerations } from "#contract/calls.ts";
import type { Parsed } from "#contract/endpoint.ts";
import { readConfig } from "#gateway/config.ts";
import * as calls from "#gateway/domain/calls.ts";
import type { Context } from "#gateway/domain/context.ts";
import { seed } from "#gateway/domain/instance.ts";
import * as latency from "#gateway/domain/latency.ts";
import * as usage from "#gateway/domain/usage.ts";
import { openDeps } from "#gateway/open.ts";
import type { Store } from "#gateway/storage/store.ts";
import { createDatabase, startPostgres } from "#gateway/testing/postgres.ts";
import { percentile, printTable } from "./table.ts";

type Query = Parsed<typeof listGenerations>["query"];

const count = Number(process.argv[2] ?? 1_000_000);
const engine = process.argv[3] ?? "postgres";
const repeats = 25;
const askedMs = 50;
const now = new Date("2026-11-21T12:00:00Z");
const one = workspaceId(1);

const queries: Record<string, Query> = {
  "one workspace": { workspace_id: one },
  "all workspaces": {},
  "failed (1 %)": { workspace_id: one, status: "failed" },
  "status 429 (1 in 10,000)": { workspace_id: one, status: "429" },
  "a model of every second call": { workspace_id: one, model: "acme/even" },
  "a model of two calls a month ago": { workspace_id: one, model: "acme/rare" },
  "a model that nobody called": { workspace_id: one, model: "acme/never" },
  "a session of 1 in 50,000": { workspace_id: one, session_id: "s-7" },
  "a session that was never": { workspace_id: one, session_id: "s-none" },
  "a key of 1 %": { workspace_id: one, api_key_hash: keyHash(7) },
  "a key of 1 %, failed": { workspace_id: one, api_key_hash: keyHash(7), status: "failed" },
  "failed, all workspaces": { status: "failed" },
};

const insertCalls = `
  insert into ledger (id, workspace_id, created_at, settled_at, key_hash, spend_id, api_type, model, provider, status,
    prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens, metered_by, priced, byok, cost, byok_cost, overrun,
    saved, inputs, cached_inputs, duration_ms, streamed, cancelled, attempts, session_id)
  select 'gen-' || i, $1::uuid, at, at, lpad((i % 100)::text, 64, '0'), $1::uuid, 'embeddings',
    case when i > $3 - 2 then 'acme/rare' when i % 2 = 0 then 'acme/even' else 'acme/odd' end, 'acme',
    case when i % 10000 = 77 then 429 when i % 100 = 77 then 502 else 200 end,
    12, 0, 0, 0, 'upstream', true, false, 240, 0, 0, 0, 1, 0, (i * 7919::bigint % 900)::int, false, false,
    '[{"provider":"acme","model":"acme/even","status":200,"latency_ms":41,"is_byok":false,"error":null}]',
    case when i % 3 = 0 then 's-' || i % 50000 end
  from generate_series(0, $3::int - 1) as i,
    lateral (select $2::timestamptz - i * interval '2592 milliseconds' as at) as t`;

const rollUp = `
  insert into usage_hourly
  select workspace_id, date_trunc('hour', settled_at, 'UTC'), key_hash, model, provider, sum(cost), 0, 0, count(*),
    count(*) filter (where status >= 400), sum(prompt_tokens), 0, 0
  from ledger group by 1, 2, 3, 4, 5`;

const folder = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
const server = engine === "postgres" ? await startPostgres() : null;
const database = server === null ? {} : { DATABASE_URL: (await createDatabase(server.url)).url };
const deps = await openDeps(readConfig({ GATEHOUSE_DATA_DIR: folder, ...database }), { now: () => now });
await seed(deps, null);
await load(deps.store);
const ctx: Context = {
  ...deps,
  actor: { kind: "management", keyHash: "", name: "bench" },
  requestId: "bench",
  sourceIp: null,
};
const rows: (string | number)[][] = [];
for (const [name, query] of Object.entries(queries)) {
  rows.push([name, ...(await measure(() => calls.list(ctx, query))), await depth(query)]);
}
const reads: Record<string, () => Promise<unknown>> = {
  "(usage, 7 days by hour, by model)": () =>
    usage.get(ctx, { workspace_id: one, by: "hour", last: 168, group_by: "model" }),
  "(usage, 30 days by day, by key, all)": () => usage.get(ctx, { by: "day", last: 30, group_by: "key" }),
  "(latency, one workspace)": () => latency.get(ctx, { workspace_id: one }),
  "(latency, all workspaces)": () => latency.get(ctx, {}),
};
for (const [name, read] of Object.entries(reads)) rows.push([name, ...(await measure(read)), "-"]);
printTable(
  `A page of 50 calls, ${count} in each of two workspaces, ${engine}, milliseconds at the server (asked: p95 ≤ ${askedMs})`,
  ["query", "p50", "p95", "p95 ten pages further"],
  rows,
);
const missed = rows.filter(
  (row) => !String(row[0]).startsWith("(") && Math.max(Number(row[2]), Number(row[3]) || 0) > askedMs,
);
console.log(missed.length === 0 ? "All met." : `${missed.length} missed: ${missed.map((row) => row[0]).join("; ")}`);
await deps.store.close();
await server?.stop();
await rm(folder, { recursive: true });
process.exit(missed.length === 0 ? 0 : 1);

async function measure(work: () => Promise<unknown>): Promise<[number, number]> {
  await work();
  const times: number[] = [];
  for (let index = 0; index < repeats; index += 1) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return [rounded(percentile(times, 50)), rounded(percentile(times, 95))];
}

/** The p95 of the pages two to eleven, each read once. */
async function depth(query: Query): Promise<number | string> {
  const times: number[] = [];
  let { next_cursor: cursor } = await calls.list(ctx, query);
  while (cursor !== null && times.length < 10) {
    const before = performance.now();
    ({ next_cursor: cursor } = await calls.list(ctx, { ...query, cursor }));
    times.push(performance.now() - before);
  }
  return times.length === 0 ? "-" : rounded(percentile(times, 95));
}

async function load({ pool }: Store): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query(
      `insert into workspaces (id, slug, name, created_at, default_guardrail_id)
       select ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, 'w' || i, 'W' || i, $1, gen_random_uuid()
       from generate_series(1, 20) as i`,
      [now],
    );
    for (const workspace of [one, workspaceId(2)]) await client.query(insertCalls, [workspace, now, count]);
    await client.query(rollUp);
    await client.query("vacuum analyze ledger");
    await client.query("vacuum analyze usage_hourly");
  } finally {
    client.release();
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function workspaceId(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

function keyHash(index: number): string {
  return String(index).padStart(64, "0");
}
