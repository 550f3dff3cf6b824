import { sql } from "kysely";
import type { getModelUsage } from "#contract/activity.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toUsd } from "#contract/money.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { workspaceScope } from "../workspaces/scope.ts";
import { periodStarts } from "./key-usage.ts";
import { newestCalls } from "./newest-calls.ts";

const mostKeys = 200;
const mostLooked = 10_000;

interface Row {
  key_hash: string;
  name: string | null;
  workspace_id: string;
  usage: bigint;
  byok_usage: bigint;
  requests: bigint;
  prompt_tokens: bigint;
}
type Totals = Pick<Row, "usage" | "byok_usage" | "requests" | "prompt_tokens"> & { keys: bigint };
type Sample = Record<"looked" | "calls" | "inputs" | "prompt_tokens" | "duration_ms", bigint>;

/** What each key embedded with one model, from the hourly rollup, and how its newest calls went, from the ledger. */
export async function get(
  ctx: Context,
  { model, last = 90, workspace_id }: Parsed<typeof getModelUsage>["query"],
): Promise<Output<typeof getModelUsage>> {
  refuseUnlessManagement(ctx);
  const workspaces = await workspaceScope(ctx, workspace_id);
  const since = periodStarts("day", last, ctx.now())[0] ?? ctx.now();
  const used = sql`
    used as (
      select u.key_hash, u.workspace_id, sum(u.usage - u.rerank_usage) as usage,
        sum(u.byok_usage - u.rerank_byok_usage) as byok_usage, sum(u.requests - u.rerank_requests) as requests,
        sum(u.prompt_tokens - u.rerank_prompt_tokens) as prompt_tokens
      from unnest(${workspaces}::uuid[]) as w (id)
      join usage_hourly u on u.workspace_id = w.id and u.hour >= ${since} and u.model = ${model}
      group by 1, 2
      having sum(u.requests - u.rerank_requests) > 0
    )`;
  const [keys, totals, sample] = await Promise.all([
    sql<Row>`
      with ${used}
      select u.key_hash, k.name, u.workspace_id, usage::int8 as usage, byok_usage::int8 as byok_usage,
        requests::int8 as requests, prompt_tokens::int8 as prompt_tokens
      from used u left join api_keys k on k.hash = u.key_hash
      order by prompt_tokens desc, u.key_hash, u.workspace_id limit ${mostKeys}`.execute(ctx.store.db),
    sql<Totals>`
      with ${used}
      select count(*) as keys, coalesce(sum(usage), 0)::int8 as usage, coalesce(sum(byok_usage), 0)::int8 as byok_usage,
        coalesce(sum(requests), 0)::int8 as requests, coalesce(sum(prompt_tokens), 0)::int8 as prompt_tokens
      from used`.execute(ctx.store.db),
    sql<Sample>`
      with ${newestCalls({ workspaces, since, most: mostLooked })}, own as (
        select * from newest where model = ${model} and api_type = 'embeddings' and status < 400 and cached_inputs = 0
      )
      select (select count(*) from newest) as looked, count(*) as calls, coalesce(sum(inputs), 0)::int8 as inputs,
        coalesce(sum(prompt_tokens), 0)::int8 as prompt_tokens, coalesce(sum(duration_ms), 0)::int8 as duration_ms
      from own`.execute(ctx.store.db),
  ]);
  const [total] = totals.rows;
  const [seen] = sample.rows;
  return {
    data: {
      since: since.toISOString(),
      total: { keys: Number(total?.keys ?? 0n), ...figures(total ?? nothing) },
      keys: keys.rows.map(({ key_hash, name, workspace_id: workspace, ...counts }) => ({
        key_hash,
        name,
        workspace_id: workspace,
        ...figures(counts),
      })),
      sample: {
        looked: Number(seen?.looked ?? 0n),
        calls: Number(seen?.calls ?? 0n),
        inputs: Number(seen?.inputs ?? 0n),
        prompt_tokens: Number(seen?.prompt_tokens ?? 0n),
        duration_ms: Number(seen?.duration_ms ?? 0n),
      },
    },
  };
}

const nothing: Omit<Totals, "keys"> = { usage: 0n, byok_usage: 0n, requests: 0n, prompt_tokens: 0n };

const figures = ({ usage, byok_usage: byok, requests, prompt_tokens: tokens }: Omit<Totals, "keys">) => ({
  usage: toUsd(usage),
  byok_usage: toUsd(byok),
  requests: Number(requests),
  prompt_tokens: Number(tokens),
});
