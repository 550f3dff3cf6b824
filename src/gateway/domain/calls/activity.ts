import { sql } from "kysely";
import type { getActivity } from "#contract/activity.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toUsd } from "#contract/money.ts";
import { startOfUtcDay, dayMs } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { knownUserIds } from "../user-id.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, notFound } from "../refusal.ts";

const days = 30;

interface Row {
  date: string;
  workspace_id: string | null;
  model: string;
  provider: string;
  provider_name: string | null;
  usage: bigint;
  byok_usage: bigint;
  requests: bigint;
  prompt_tokens: bigint;
  completion_tokens: bigint;
  reasoning_tokens: bigint;
}

/** Usage of the last 30 completed UTC days, from the hourly rollup: newest day first. */
export async function list(
  ctx: Context,
  query: Parsed<typeof getActivity>["query"],
): Promise<Output<typeof getActivity>> {
  refuseUnlessManagement(ctx);
  const today = startOfUtcDay(ctx.now());
  const [from, to] = windowOf(query.date, today);
  if (query.workspace_id !== undefined) await requireWorkspace(ctx, query.workspace_id);
  const [user = null] = query.user_id === undefined ? [] : await knownUserIds(ctx.store.db, [query.user_id]);
  const byWorkspace = query.group_by === "workspace";
  const { rows } = await sql<Row>`
    select to_char(u.hour at time zone 'UTC', 'YYYY-MM-DD') as date,
      ${byWorkspace ? sql`u.workspace_id` : sql`null::uuid`} as workspace_id,
      u.model, u.provider, p.name as provider_name,
      sum(u.usage)::bigint as usage, sum(u.byok_usage)::bigint as byok_usage, sum(u.requests)::bigint as requests,
      sum(u.prompt_tokens)::bigint as prompt_tokens, sum(u.completion_tokens)::bigint as completion_tokens,
      sum(u.reasoning_tokens)::bigint as reasoning_tokens
    from usage_hourly u
    left join providers p on p.slug = u.provider
    where u.hour >= ${from} and u.hour < ${to}
      and (${query.workspace_id ?? null}::uuid is null or u.workspace_id = ${query.workspace_id ?? null}::uuid)
      and (${query.api_key_hash ?? null}::text is null or u.key_hash = ${query.api_key_hash ?? null}::text)
      and (${user}::text is null or u.key_hash in
        (select hash from api_keys where creator_user_id = ${user}::text))
    group by 1, 2, 3, 4, 5
    order by 1 desc, usage desc, u.model, u.provider`.execute(ctx.store.db);
  return {
    data: rows.map((row) => ({
      date: row.date,
      model: row.model,
      model_permaslug: row.model,
      endpoint_id: `${row.provider}/${row.model}`,
      provider_name: row.provider_name ?? row.provider,
      usage: toUsd(row.usage),
      byok_usage_inference: toUsd(row.byok_usage),
      requests: Number(row.requests),
      prompt_tokens: Number(row.prompt_tokens),
      completion_tokens: Number(row.completion_tokens),
      reasoning_tokens: Number(row.reasoning_tokens),
      ...(row.workspace_id === null ? {} : { workspace_id: row.workspace_id }),
    })),
  };
}

function windowOf(date: string | undefined, today: Date): [Date, Date] {
  const first = new Date(today.getTime() - days * dayMs);
  if (date === undefined) return [first, today];
  const day = new Date(`${date}T00:00:00.000Z`);
  if (Number.isNaN(day.getTime()) || day < first || day >= today) {
    const last = new Date(today.getTime() - dayMs).toISOString().slice(0, 10);
    throw invalid(
      "date",
      `must be one of the last ${days} completed UTC days: ${first.toISOString().slice(0, 10)} to ${last}`,
    );
  }
  return [day, new Date(day.getTime() + dayMs)];
}

async function requireWorkspace(ctx: Context, id: string): Promise<void> {
  const found = await ctx.store.db.selectFrom("workspaces").select("id").where("id", "=", id).executeTakeFirst();
  if (found === undefined) throw notFound("There is no workspace with this id");
}
