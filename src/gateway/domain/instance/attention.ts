import { sql } from "kysely";
import {
  type AttentionKind,
  type AttentionRow,
  type getAttention,
  AttentionKind as kinds,
} from "#contract/attention.ts";
import { driftSentence } from "#contract/canaries.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { toUsd } from "#contract/money.ts";
import type { Context } from "../context.ts";
import * as destinationHealth from "../destinations/health.ts";
import { baselineRecord } from "../providers/canary-record.ts";
import type { SeenHealth } from "../routing/health.ts";
import { capped, countedUpTo, hasLimitState, listed, records } from "../keys/list.ts";
import type { KeyRow } from "../keys/record.ts";
import { hasStatus } from "../key-status.ts";
import { limitResetsAt, type LimitSettings, spendOfRow, spentTowardLimit } from "../ledger/limits.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { workspaceScope } from "../workspaces/scope.ts";

type Attention = Output<typeof getAttention>;
/** The first of each kind, and the total. */
interface Found {
  rows: AttentionRow[];
  total: Attention["totals"][AttentionKind];
}
interface Scope {
  workspaces: readonly string[];
  /** null: every workspace */
  only: string | null;
  now: Date;
}

const mostRows = 5;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const failingFrom = { provider: { rate: 0.1, calls: 5 }, errors: { rate: 0.05, calls: 20 } } as const;
const refusedFrom = 10;
const nearPart = 0.8;

const nothingMore = {
  since: null,
  until: null,
  figure: null,
  spent: null,
  limit: null,
  last_used_at: null,
  message: null,
  status: null,
};

export async function get(ctx: Context, query: Parsed<typeof getAttention>["query"]): Promise<Attention> {
  refuseUnlessManagement(ctx);
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  const only = query.workspace_id === undefined || query.workspace_id === "all" ? null : query.workspace_id;
  const scope = { workspaces, only, now: ctx.now() };
  const found: Record<AttentionKind, Found> = {
    ...(await failures(ctx, scope)),
    destination: await destinations(ctx, scope),
    drift: await drifts(ctx),
    refused: await refused(ctx, scope),
    budget: await budgets(ctx, scope),
    ...(await keys(ctx, scope)),
  };
  const totals = Object.fromEntries(kinds.options.map((kind) => [kind, found[kind].total])) as Attention["totals"];
  return { data: kinds.options.flatMap((kind) => found[kind].rows), totals };
}

/** Uses the indexes on the hints, expiry and use: its time depends on the keys that are reported, not on all keys. */
async function keys(ctx: Context, { only, now }: Scope) {
  const active = hasStatus("active", now);
  const which = {
    over_limit: { fits: hasStatus("over_limit", now), order: sql`k.last_used_at desc nulls last` },
    over_watched_limit: {
      fits: sql`${active} and ${hasLimitState("over", now)}`,
      order: sql`k.last_used_at desc nulls last`,
    },
    near_limit: { fits: sql`${active} and ${hasLimitState("near", now)}`, order: sql`k.last_used_at desc nulls last` },
    expiring: {
      fits: sql`${active} and k.expires_at > ${now} and k.expires_at <= ${new Date(now.getTime() + 7 * dayMs)}`,
      order: sql`k.expires_at`,
    },
    unused: {
      fits: sql`${active} and k.last_used_at is null and k.created_at <= ${new Date(now.getTime() - 30 * dayMs)}`,
      order: sql`k.created_at`,
    },
  };
  const read = async (kind: keyof typeof which): Promise<Found> => {
    const { fits, order } = which[kind];
    const where = only === null ? sql`${listed} and ${fits}` : sql`${listed} and k.workspace_id = ${only} and ${fits}`;
    const { rows } = await sql<KeyRow & { counted: bigint }>`
      select k.*, ${countedUpTo(where)} as counted from api_keys k
      where ${where} order by ${order}, k.hash limit ${mostRows}`.execute(ctx.store.db);
    const read = await records(ctx, rows, now);
    return {
      total: capped(rows[0]?.counted ?? 0n),
      rows: read.map((key) => {
        const spent = key.limit === null ? null : Math.max(key.limit - (key.limit_remaining ?? 0), usedInPeriod(key));
        return {
          ...nothingMore,
          kind,
          object: { type: "key", id: key.hash, name: key.name },
          workspace_id: key.workspace_id,
          since: kind === "unused" ? key.created_at : null,
          until: kind === "expiring" ? key.expires_at : key.limit_resets_at,
          figure: spent === null || key.limit === null || key.limit === 0 ? null : spent / key.limit,
          spent,
          limit: key.limit,
          last_used_at: key.last_used_at,
        };
      }),
    };
  };
  return {
    over_limit: await read("over_limit"),
    over_watched_limit: await read("over_watched_limit"),
    near_limit: await read("near_limit"),
    expiring: await read("expiring"),
    unused: await read("unused"),
  };
}

/** USD charged in the limit's current period: more than the limit where it is only watched. */
function usedInPeriod(key: KeyRecord): number {
  const period = key.limit_reset === null ? "" : (`_${key.limit_reset}` as const);
  return key[`usage${period}`] + (key.include_byok_in_limit ? key[`byok_usage${period}`] : 0);
}

/** The part of a provider's calls that failed, if that is too many; of a few calls all have to. */
function failed(calls: number, part: number): number | null {
  const least = calls >= failingFrom.provider.calls ? failingFrom.provider.rate : 1;
  return calls > 0 && part >= least ? part : null;
}

/** From the attempts that this process saw: the ledger does not show those that another provider made up for. */
const failedHere = ({ calls_last_30m: calls, error_rate_last_30m: part }: SeenHealth) => failed(calls, part ?? 0);

/** From the ledger's rollup, which survives a restart and covers every process. */
async function failures(ctx: Context, { workspaces, now }: Scope) {
  const from = new Date(Math.floor(now.getTime() / hourMs - 2) * hourMs);
  const { rows } = await sql<{
    provider: string | null;
    workspace_id: string | null;
    requests: bigint;
    failures: bigint;
  }>`
    select case when grouping(u.provider) = 0 then u.provider end as provider,
      case when grouping(u.workspace_id) = 0 then u.workspace_id end as workspace_id,
      sum(requests)::int8 as requests, sum(provider_faults)::int8 as failures
    from unnest(${workspaces}::uuid[]) as w (id)
    join usage_hourly u on u.workspace_id = w.id and u.hour >= ${from}
    group by grouping sets ((u.provider), (u.workspace_id))`.execute(ctx.store.db);
  const failedLately = ({ requests, failures: faults }: { requests: bigint; failures: bigint }) =>
    failed(Number(requests), Number(faults) / Number(requests));
  const byProvider = new Map(rows.flatMap((row) => (row.provider === null ? [] : [[row.provider, row] as const])));
  const providers = await ctx.store.db
    .selectFrom("providers")
    .select(["slug", "name"])
    .where("enabled", "=", true)
    .execute();
  const failing = providers
    .map(({ slug, name }): AttentionRow | null => {
      const seen = ctx.health.provider(slug, now);
      const { status, last_failure: last } = seen;
      const used = byProvider.get(slug);
      const part = (used && failedLately(used)) ?? failedHere(seen);
      if (part === null && status !== "down" && status !== "credentials") return null;
      return {
        ...nothingMore,
        kind: "provider",
        object: { type: "provider", id: slug, name },
        workspace_id: null,
        since: last?.at ?? null,
        figure: part,
        message: last?.message ?? null,
        status: last?.status ?? null,
      };
    })
    .filter((row) => row !== null)
    .toSorted((a, b) => (b.figure ?? 1) - (a.figure ?? 1));
  const names = await ctx.store.db
    .selectFrom("workspaces")
    .select(["id", "name"])
    .where("deleted_at", "is", null)
    .execute();
  const byWorkspace = new Map(
    rows.flatMap((row) => (row.workspace_id === null ? [] : [[row.workspace_id, row] as const])),
  );
  const errors = names
    .map(({ id, name }): AttentionRow | null => {
      const { requests, failures: faults } = byWorkspace.get(id) ?? { requests: 0n, failures: 0n };
      const figure = Number(faults) / Number(requests);
      const object = { type: "workspace", id, name } as const;
      return requests < BigInt(failingFrom.errors.calls) || figure < failingFrom.errors.rate
        ? null
        : { ...nothingMore, kind: "errors", object, workspace_id: id, since: from.toISOString(), figure };
    })
    .filter((row) => row !== null)
    .toSorted((a, b) => (b.figure ?? 0) - (a.figure ?? 0));
  return { provider: firstOf(failing), errors: firstOf(errors) };
}

async function destinations(ctx: Context, { only }: Scope): Promise<Found> {
  const { data } = await destinationHealth.list(ctx, { workspace_id: only ?? "all" });
  const failing = data.filter(({ status }) => status === "failing");
  if (failing.length === 0) return firstOf([]);
  const ids = failing.map(({ destination_id: id }) => id);
  const named = await ctx.store.db
    .selectFrom("destinations")
    .select(["id", "name", "workspace_id"])
    .where("id", "in", ids)
    .execute();
  const byId = new Map(named.map((row) => [row.id, row] as const));
  return firstOf(
    failing
      .toSorted((a, b) => (a.failing_since ?? "").localeCompare(b.failing_since ?? ""))
      .map(({ destination_id: id, failing_since: since, backlog, last_error: error }) => ({
        ...nothingMore,
        kind: "destination",
        object: { type: "destination", id, name: byId.get(id)?.name ?? id },
        workspace_id: byId.get(id)?.workspace_id ?? null,
        since,
        figure: backlog,
        message: error?.message ?? null,
        status: error?.status ?? null,
      })),
  );
}

/** Of every workspace: a model's vectors are the same for all of them. */
async function drifts(ctx: Context): Promise<Found> {
  const rows = await ctx.store.db
    .selectFrom("canaries as c")
    .innerJoin("providers as p", "p.slug", "c.provider")
    .select(["c.model", "c.drift_since", "c.drift_reason", "c.drift_distance", "c.drift_space", "p.name"])
    .select(["c.baseline_at", "c.baseline_space", "c.noise"])
    .where("c.drift_since", "is not", null)
    .orderBy("c.drift_since", "desc")
    .execute();
  return firstOf(
    rows.map((row) => ({
      ...nothingMore,
      kind: "drift",
      object: { type: "model", id: row.model, name: `${row.model} at ${row.name}` },
      workspace_id: null,
      since: row.drift_since?.toISOString() ?? null,
      figure: row.drift_distance,
      message:
        row.drift_reason &&
        driftSentence({
          reason: row.drift_reason,
          distance: row.drift_distance,
          space: row.drift_space ?? "",
          baseline: baselineRecord(row),
        }),
    })),
  );
}

async function refused(ctx: Context, { workspaces, now }: Scope): Promise<Found> {
  const { rows } = await sql<{
    key_hash: string;
    name: string;
    workspace_id: string;
    count: bigint;
    first_at: Date;
    message: string;
  }>`
    select r.key_hash, k.name, k.workspace_id, sum(r.count)::int8 as count, min(r.first_at) as first_at,
      (array_agg(r.last_message order by r.last_at desc))[1] as message
    from refused_calls r join api_keys k on k.hash = r.key_hash and k.deleted_at is null
    where r.minute >= ${new Date(now.getTime() - hourMs)} and r.workspace_id = any(${workspaces}::uuid[])
    group by 1, 2, 3 having sum(r.count) >= ${refusedFrom}
    order by count desc, r.key_hash`.execute(ctx.store.db);
  return firstOf(
    rows.map((row) => ({
      ...nothingMore,
      kind: "refused",
      object: { type: "key", id: row.key_hash, name: row.name },
      workspace_id: row.workspace_id,
      since: row.first_at.toISOString(),
      figure: Number(row.count),
      message: row.message,
    })),
  );
}

async function budgets(ctx: Context, { workspaces, now }: Scope): Promise<Found> {
  const rows = await ctx.store.db
    .selectFrom("workspace_budgets as b")
    .innerJoin("workspaces as w", "w.id", "b.workspace_id")
    .innerJoin("spends as s", "s.id", "b.workspace_id")
    .selectAll("s")
    .select(["b.workspace_id", "b.interval", "b.limit_nano", "w.name", "w.include_byok_in_budgets"])
    .where("w.deleted_at", "is", null)
    .where("b.workspace_id", "in", workspaces.length === 0 ? [""] : workspaces)
    .execute();
  const near = rows
    .map((row) => {
      const { limit_nano: limit, interval, include_byok_in_budgets: includeByok } = row;
      const settings: LimitSettings = { limit, reset: interval === "lifetime" ? null : interval, includeByok };
      const spend = spendOfRow(row);
      const spent = spentTowardLimit(settings, spend, now);
      return {
        ...nothingMore,
        kind: "budget" as const,
        object: { type: "workspace" as const, id: row.workspace_id, name: row.name },
        workspace_id: row.workspace_id,
        until: limitResetsAt(settings, spend, now)?.toISOString() ?? null,
        figure: toUsd(spent) / toUsd(limit),
        spent: toUsd(spent),
        limit: toUsd(limit),
      };
    })
    .filter(({ figure }) => figure >= nearPart)
    .toSorted((a, b) => b.figure - a.figure);
  return firstOf(near);
}

function firstOf(rows: readonly AttentionRow[]): Found {
  return { rows: rows.slice(0, mostRows), total: capped(BigInt(rows.length)) };
}
