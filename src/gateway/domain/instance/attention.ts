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
import { isInTrouble, recentHours, stateOf } from "../providers/state.ts";
import { capped, countedUpTo, hasLimitState, listed, records } from "../keys/list.ts";
import type { KeyRow } from "../keys/record.ts";
import { lastsUntil } from "../keys/spend-order.ts";
import { hasStatus } from "../key-status.ts";
import { lasts } from "../ledger/lasts.ts";
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
const errorsFrom = { rate: 0.05, calls: 20 };
const refusedFrom = 10;
const nearPart = 0.8;
const soonMs = 7 * dayMs;
/** Of a limit's pace there is no index: so many keys are looked at, those that were used last. */
const mostPaced = 2_000;

const nothingMore = {
  since: null,
  until: null,
  figure: null,
  spent: null,
  limit: null,
  lasts_until: null,
  last_used_at: null,
  message: null,
  status: null,
  state: null,
  minutes: null,
  reason: null,
  reason_count: null,
};

export async function get(ctx: Context, query: Parsed<typeof getAttention>["query"]): Promise<Attention> {
  refuseUnlessManagement(ctx);
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  const only = query.workspace_id === undefined || query.workspace_id === "all" ? null : query.workspace_id;
  const scope = { workspaces, only, now: ctx.now() };
  const found: Record<AttentionKind, Found> = {
    provider: await failingProviders(ctx, scope),
    errors: await errors(ctx, scope),
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
      fits: sql`${active} and k.expires_at > ${now} and k.expires_at <= ${new Date(now.getTime() + soonMs)}`,
      order: sql`k.expires_at`,
    },
    running_out: {
      fits: sql`k.hash = any(${await runningOut(ctx, only, now)}::text[])`,
      order: sql`(select ${lastsUntil(now)} from spends as s where s.id = k.spend_id)`,
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
          lasts_until: key.lasts_until,
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
    running_out: await read("running_out"),
    unused: await read("unused"),
  };
}

/** Active keys by their limit's pace, without those that are near it or expire soon, which are reported as such. */
async function runningOut({ store }: Context, only: string | null, now: Date): Promise<string[]> {
  const soon = now.getTime() + soonMs;
  const { rows } = await sql<{ hash: string }>`
    select k.hash from (
      select k.* from api_keys k
      where ${listed} and ${hasStatus("active", now)} and k.limit_nano is not null and not k.limit_watch_only
        and (k.near_limit_until is null or k.near_limit_until <= ${now})
        and (k.expires_at is null or k.expires_at > ${new Date(soon)})
        and k.last_used_at is not null ${only === null ? sql`` : sql`and k.workspace_id = ${only}`}
      order by coalesce(k.last_used_at, '-infinity') desc, k.hash desc limit ${mostPaced}
    ) as k join spends as s on s.id = k.spend_id
    where ${lastsUntil(now)} <= ${soon}::int8`.execute(store.db);
  return rows.map(({ hash }) => hash);
}

/** USD charged in the limit's current period: more than the limit where it is only watched. */
function usedInPeriod(key: KeyRecord): number {
  const period = key.limit_reset === null ? "" : (`_${key.limit_reset}` as const);
  return key[`usage${period}`] + (key.include_byok_in_limit ? key[`byok_usage${period}`] : 0);
}

/** From the ledger's rollup, which survives a restart and covers every process. */
async function errors(ctx: Context, { workspaces, now }: Scope): Promise<Found> {
  const from = recentSince(now);
  const { rows } = await sql<{ id: string; name: string; requests: bigint; failures: bigint }>`
    select w.id, w.name, sum(u.requests)::int8 as requests, sum(u.provider_faults)::int8 as failures
    from workspaces w join usage_hourly u on u.workspace_id = w.id and u.hour >= ${from}
    where w.id = any(${workspaces}::uuid[]) and w.deleted_at is null
    group by w.id, w.name`.execute(ctx.store.db);
  const failing = rows
    .map(({ id, name, requests, failures }): AttentionRow | null => {
      const figure = Number(failures) / Number(requests);
      const object = { type: "workspace", id, name } as const;
      return requests < BigInt(errorsFrom.calls) || figure < errorsFrom.rate
        ? null
        : { ...nothingMore, kind: "errors", object, workspace_id: id, since: from.toISOString(), figure };
    })
    .filter((row) => row !== null)
    .toSorted((a, b) => (b.figure ?? 0) - (a.figure ?? 0));
  return firstOf(failing);
}

/** Those that the list of providers shows in trouble: they serve every workspace. */
async function failingProviders(ctx: Context, { now }: Scope): Promise<Found> {
  const { rows } = await sql<{ slug: string; name: string; updated_at: Date | null; calls: bigint; failures: bigint }>`
    select p.slug, p.name, p.updated_at, coalesce(u.calls, 0)::int8 as calls, coalesce(u.failures, 0)::int8 as failures
    from providers p
    left join lateral (
      select sum(requests) as calls, sum(provider_faults) as failures from usage_hourly
      where provider = p.slug and hour >= ${recentSince(now)}
    ) u on true
    where p.enabled`.execute(ctx.store.db);
  const failing = rows
    .map(({ slug, name, updated_at, calls, failures }): AttentionRow | null => {
      const seen = ctx.health.provider(slug, now);
      const state = stateOf(seen, { calls: Number(calls), failures: Number(failures) }, updated_at);
      if (!isInTrouble(state)) return null;
      const { last_failure: last } = seen;
      const part = state.status === "failing" ? state.recent : null;
      return {
        ...nothingMore,
        kind: "provider",
        object: { type: "provider", id: slug, name },
        workspace_id: null,
        since: last?.at ?? null,
        figure: part?.error_rate ?? null,
        message: last?.message ?? null,
        status: last?.status ?? null,
        state: state.status,
        minutes: part?.minutes ?? null,
      };
    })
    .filter((row) => row !== null)
    .toSorted((a, b) => (b.figure ?? 1) - (a.figure ?? 1));
  return firstOf(failing);
}

const recentSince = (now: Date) => new Date(Math.floor(now.getTime() / hourMs - (recentHours - 1)) * hourMs);

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

/** By key; the reason is the most frequent one, as the last may be any. */
async function refused(ctx: Context, { workspaces, now }: Scope): Promise<Found> {
  const { rows } = await sql<{
    key_hash: string;
    name: string;
    workspace_id: string;
    count: bigint;
    first_at: Date;
    reason: string;
    reason_count: bigint;
    status: number;
    message: string;
  }>`
    with by_reason as (
      select key_hash, reason, status, sum(count)::int8 as count, min(first_at) as first_at, max(last_at) as last_at,
        (array_agg(last_message order by last_at desc))[1] as message
      from refused_calls
      where minute >= ${new Date(now.getTime() - hourMs)} and workspace_id = any(${workspaces}::uuid[])
      group by key_hash, reason, status
    )
    select distinct on (r.key_hash) r.key_hash, k.name, k.workspace_id, r.reason, r.status, r.message,
      r.count as reason_count, t.count, t.first_at
    from by_reason r
    join (select key_hash, sum(count)::int8 as count, min(first_at) as first_at from by_reason group by key_hash) t
      on t.key_hash = r.key_hash and t.count >= ${refusedFrom}
    join api_keys k on k.hash = r.key_hash and k.deleted_at is null
    order by r.key_hash, r.count desc, r.last_at desc`.execute(ctx.store.db);
  return firstOf(
    rows
      .toSorted((a, b) => Number(b.count - a.count))
      .map((row) => ({
        ...nothingMore,
        kind: "refused",
        object: { type: "key", id: row.key_hash, name: row.name },
        workspace_id: row.workspace_id,
        since: row.first_at.toISOString(),
        figure: Number(row.count),
        message: row.message,
        status: row.status,
        reason: row.reason,
        reason_count: Number(row.reason_count),
      })),
  );
}

async function budgets(ctx: Context, { workspaces, now }: Scope): Promise<Found> {
  const rows = await ctx.store.db
    .selectFrom("workspace_budgets as b")
    .innerJoin("workspaces as w", "w.id", "b.workspace_id")
    .innerJoin("spends as s", "s.id", "b.workspace_id")
    .selectAll("s")
    .select(["b.workspace_id", "b.interval", "b.limit_nano", "w.name", "w.include_byok_in_budgets", "w.created_at"])
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
        lasts_until:
          lasts({ settings, spend, since: row.created_at, expiresAt: null }, now).until?.toISOString() ?? null,
      };
    })
    .filter(({ figure, lasts_until: until }) => {
      return figure >= nearPart || (until !== null && Date.parse(until) <= now.getTime() + soonMs);
    })
    .toSorted((a, b) => b.figure - a.figure);
  return firstOf(near);
}

function firstOf(rows: readonly AttentionRow[]): Found {
  return { rows: rows.slice(0, mostRows), total: capped(BigInt(rows.length)) };
}
