// How long one page of the list of calls takes at the server, with a million calls in each of two workspaces.
// Usage: node bench/calls-page.ts [calls] [embedded|postgres]
import type { listGenerations } from "#contract/calls.ts";
import type { Parsed } from "#contract/endpoint.ts";
import * as callSessions from "#gateway/domain/calls/call-sessions.ts";
import * as calls from "#gateway/domain/calls/calls.ts";
import * as counts from "#gateway/domain/calls/counts.ts";
import * as latency from "#gateway/domain/calls/latency.ts";
import * as usageReport from "#gateway/domain/calls/usage-report.ts";
import * as usage from "#gateway/domain/calls/usage.ts";
import { numberArgument } from "./harness.ts";
import { now, openFilled, printReads, timed, timedPages, workspaceId } from "./store-reads.ts";

type Query = Parsed<typeof listGenerations>["query"];

const count = numberArgument(1, 1_000_000);
const engine = process.argv[3] ?? "postgres";
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

await using store = await openFilled(engine, 20, async (client) => {
  for (const workspace of [one, workspaceId(2)]) await client.query(insertCalls, [workspace, now, count]);
  await client.query(rollUp);
  await client.query("vacuum analyze ledger");
  await client.query("vacuum analyze usage_hourly");
});
const { ctx } = store;
const rows: (string | number)[][] = [];
for (const [name, query] of Object.entries(queries)) {
  const list = (cursor?: string) => calls.list(ctx, cursor === undefined ? query : { ...query, cursor });
  rows.push([engine, name, ...(await timedPages(list))]);
}
const reads: Record<string, () => Promise<unknown>> = {
  "(usage, 7 days by hour, by model)": () =>
    usage.get(ctx, { workspace_id: one, by: "hour", last: 168, group_by: "model" }),
  "(usage, 30 days by day, by key, all)": () => usage.get(ctx, { by: "day", last: 30, group_by: "key" }),
  "(report, 30 days, by key and model, all)": () =>
    usageReport.get(ctx, { since: ago(720), group_by: "key", then_by: "model" }),
  "(report, 30 days, by creator, all)": () => usageReport.get(ctx, { since: ago(720), group_by: "creator" }),
  "(report, 30 days, by session: the newest 50,000)": () =>
    usageReport.get(ctx, { workspace_id: one, since: ago(720), group_by: "session" }),
  "(latency, one workspace)": () => latency.get(ctx, { workspace_id: one }),
  "(latency, all workspaces)": () => latency.get(ctx, {}),
  "(count, 30 days, by sums of hours)": () => counts.get(ctx, { workspace_id: one }),
  "(count, 24 hours, one by one: 33,000)": () => counts.get(ctx, { workspace_id: one, since: ago(24) }),
  "(count, 30 days, status 429: the newest 50,000)": () => counts.get(ctx, { workspace_id: one, status: "429" }),
  "(count, a key of 1 %, 30 days: 10,000)": () => counts.get(ctx, { workspace_id: one, api_key_hash: keyHash(7) }),
  "(sessions of the newest 20,000 calls)": () => callSessions.list(ctx, { workspace_id: one }),
  "(count, all workspaces, 30 days)": () => counts.get(ctx, {}),
};
for (const [name, read] of Object.entries(reads)) rows.push([engine, name, ...(await timed(read)), "-"]);
printReads(`A page of 50 calls, ${count} in each of two workspaces`, rows);

function ago(hours: number): string {
  return new Date(now.getTime() - hours * 3_600_000).toISOString();
}

function keyHash(index: number): string {
  return String(index).padStart(64, "0");
}
