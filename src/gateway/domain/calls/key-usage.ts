import { sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { getKeyUsage } from "#contract/keys.ts";
import { toUsd } from "#contract/money.ts";
import { hourMs, startOfUtcDay, startOfUtcHour } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, notFound } from "../refusal.ts";
import { refusedByPeriod } from "./refused-calls.ts";

type Usage = typeof getKeyUsage;

const mostDays = 90;

/** A key's spending over time, ending with the current hour or day; hours and days without calls are zeros. */
export async function usage(ctx: Context, hash: string, query: Parsed<Usage>["query"]): Promise<Output<Usage>> {
  refuseUnlessManagement(ctx);
  if (query.by === "day" && query.last > mostDays) throw invalid("last", `must be at most ${mostDays} with by=day`);
  const { db } = ctx.store;
  const key = await db
    .selectFrom("api_keys")
    .select("spend_id")
    .where("hash", "=", hash)
    .where("kind", "=", "ordinary")
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (key === undefined) throw notFound("There is no API key with this hash");
  const keys = query.with_replaced === true ? await sharing(ctx, key.spend_id) : [hash];
  const starts = periodStarts(query.by, query.last, ctx.now());
  const { rows } = await sql<UsageRow>`
    select date_trunc(${query.by}, hour, 'UTC') as at, sum(usage)::int8 as usage, sum(byok_usage)::int8 as byok_usage,
      sum(requests)::int8 as requests, sum(prompt_tokens)::int8 as prompt_tokens,
      sum(completion_tokens)::int8 as completion_tokens
    from usage_hourly
    where key_hash = any(${keys}::text[]) and hour >= ${starts[0]}
    group by 1`.execute(db);
  const end = new Date(ctx.now().getTime() + 24 * hourMs);
  const refused = await refusedByPeriod(db, query.by, [starts[0] ?? end, end], { keys });
  const found = new Map(rows.map((row) => [row.at.getTime(), row] as const));
  return {
    data: starts.map((at) => {
      const row = found.get(at.getTime());
      return {
        at: at.toISOString(),
        usage: toUsd(row?.usage ?? 0n),
        byok_usage: toUsd(row?.byok_usage ?? 0n),
        requests: Number(row?.requests ?? 0n),
        refused: refused.get(at.getTime()) ?? 0,
        prompt_tokens: Number(row?.prompt_tokens ?? 0n),
        completion_tokens: Number(row?.completion_tokens ?? 0n),
      };
    }),
  };
}

/** The keys that count toward one spend, deleted ones too. */
async function sharing({ store }: Context, spendId: string): Promise<string[]> {
  const rows = await store.db.selectFrom("api_keys").select("hash").where("spend_id", "=", spendId).execute();
  return rows.map(({ hash }) => hash);
}

interface UsageRow {
  at: Date;
  usage: bigint;
  byok_usage: bigint;
  requests: bigint;
  prompt_tokens: bigint;
  completion_tokens: bigint;
}

/** The starts of the last `count` UTC hours or days, oldest first; the last one contains `now`. */
export function periodStarts(by: "hour" | "day", count: number, now: Date): Date[] {
  const step = by === "hour" ? hourMs : 24 * hourMs;
  const last = (by === "hour" ? startOfUtcHour(now) : startOfUtcDay(now)).getTime();
  return Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * step));
}
