import { sql } from "kysely";
import type { ProviderHealth } from "#contract/providers.ts";
import type { Context } from "../context.ts";
import { periodStarts } from "../calls/key-usage.ts";

type Ledger = ProviderHealth["ledger"];

const hours = 24;

interface Row {
  provider: string;
  model: string | null;
  hour: Date | null;
  calls: bigint;
  failures: bigint;
}

/** What the ledger's rollup knows about these providers: from all processes, and from before a restart. */
export async function providersOnLedger(ctx: Context, slugs: readonly string[]): Promise<(slug: string) => Ledger> {
  const starts = periodStarts("hour", hours, ctx.now());
  const rows = Map.groupBy(await lastDay(ctx, slugs, starts[0] ?? ctx.now()), ({ provider }) => provider);
  const last = await lastHours(ctx, slugs);
  return (slug) => {
    const own = rows.get(slug) ?? [];
    const byHour = new Map(own.map((row) => [row.hour?.getTime(), row] as const));
    const points = starts.map((at) => ({ at: at.toISOString(), ...figures(byHour.get(at.getTime())) }));
    const sum = (member: "calls" | "failures") => points.reduce((all, point) => all + point[member], 0);
    return {
      calls: sum("calls"),
      failures: sum("failures"),
      hours: points,
      models: own.flatMap((row) => (row.model === null ? [] : [{ id: row.model, ...figures(row) }])),
      last_call_hour: last.get(slug)?.toISOString() ?? null,
    };
  };
}

/** By hour over all models, and by model over all hours. */
async function lastDay(ctx: Context, slugs: readonly string[], since: Date): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select provider, model, hour, sum(requests)::int8 as calls, sum(provider_faults)::int8 as failures
    from usage_hourly where provider = any(${slugs}::text[]) and hour >= ${since}
    group by grouping sets ((provider, hour), (provider, model)) order by provider, model, hour`.execute(ctx.store.db);
  return rows;
}

async function lastHours(ctx: Context, slugs: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ provider: string; hour: Date }>`
    select p.provider, u.hour from unnest(${slugs}::text[]) as p (provider)
    cross join lateral (
      select hour from usage_hourly where provider = p.provider order by hour desc limit 1
    ) as u`.execute(ctx.store.db);
  return new Map(rows.map(({ provider, hour }) => [provider, hour] as const));
}

function figures(row: Row | undefined): { calls: number; failures: number } {
  return { calls: Number(row?.calls ?? 0n), failures: Number(row?.failures ?? 0n) };
}
