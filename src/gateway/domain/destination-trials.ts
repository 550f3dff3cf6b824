import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { configMembers, type DestinationType } from "#contract/destination-kinds.ts";
import type { Output } from "#contract/endpoint.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import type {
  estimateDestination,
  PreviewDestinationBody,
  previewDestination,
  TestDestinationBody,
  testDestination,
  TryDestinationBody,
  tryDestination,
} from "#contract/forwarding.ts";
import type { Context } from "./context.ts";
import { maskSecret, mergeConfig, type StoredConfig } from "./destination-config.ts";
import { refuseWrongRules } from "./destination-filters.ts";
import { compilePipeline, type Fate, type PipelineSettings } from "./destination-pipeline.ts";
import { readsBodies } from "./destination-settings.ts";
import { find, openConfig } from "./destinations.ts";
import { exampleEvent } from "./example-event.ts";
import { eventOf, type LedgerJson } from "./forwarded-events.ts";
import { findCall, latestCalls } from "./forwarded-calls.ts";
import { missingGeneration } from "./generations.ts";
import { bodyIn, readBodies } from "./kept-bodies.ts";
import { refuseUnlessManagement } from "./permission.ts";
import { invalid } from "./refusal.ts";
import { requireWorkspace } from "./workspace-row.ts";

const dayMs = 86_400_000;
const historyDays = 7;
const tried = 200;
const examined = 2_000;
const mostBodyBytes = 8_000_000;
const longestTurnMs = 4;

/** Sends a marked test to unsaved settings. */
export async function test(ctx: Context, body: TestDestinationBody): Promise<Output<typeof testDestination>> {
  refuseUnlessManagement(ctx);
  const { config } = await unsavedConfig(ctx, body);
  return { data: await ctx.sinks.test(body.type, config) };
}

/** What unsaved settings would send for one call, and what they keep back. */
export async function preview(ctx: Context, body: PreviewDestinationBody): Promise<Output<typeof previewDestination>> {
  refuseUnlessManagement(ctx);
  refuseWrongRules(body.filter_rules);
  const { config, workspaceId: stored } = await unsavedConfig(ctx, body);
  const workspaceId = await workspaceOf(ctx, body.workspace_id ?? stored);
  const found = await callToShow(ctx, workspaceId, body.generation_id);
  const event = found === null ? exampleEvent(workspaceId, ctx.now()) : found.event;
  const settings = settingsOf(body);
  const sent = stripped(event, settings);
  const requests = await ctx.sinks.preview(body.type, masked(body.type, config), [sent]);
  return {
    data: {
      generation_id: event.id,
      real: found !== null,
      ...fateOf(compilePipeline(settings)(event)),
      requests,
      removed: removedFrom(event, settings, found !== null && !found.kept),
    },
  };
}

/** What unsaved rules do to the latest calls. */
export async function tryRules(ctx: Context, body: TryDestinationBody): Promise<Output<typeof tryDestination>> {
  refuseUnlessManagement(ctx);
  refuseWrongRules(body.filter_rules);
  const settings = settingsOf(body);
  const workspaceId = await workspaceOf(ctx, body.workspace_id);
  const events = await eventsOf(ctx, await latestCalls(ctx.store, { workspaceId, most: tried }), settings);
  const fates = await inTurns(events, compilePipeline(settings));
  return {
    data: events.map((event, index) => ({
      generation_id: event.id,
      created_at: event.startedAt.toISOString(),
      model: event.model,
      ...fateOf(fates[index] as Fate),
    })),
  };
}

/** How much unsaved settings would forward in a day, by the last one. */
export async function estimate(ctx: Context, body: TryDestinationBody): Promise<Output<typeof estimateDestination>> {
  refuseUnlessManagement(ctx);
  refuseWrongRules(body.filter_rules);
  const workspaceId = await workspaceOf(ctx, body.workspace_id);
  const since = new Date(ctx.now().getTime() - dayMs);
  const hashes = body.api_key_hashes ?? null;
  const { rows } = await sql<{ calls: bigint; allowed: bigint }>`
    select count(*) as calls, count(*) filter (where ${hashes}::text[] is null or key_hash = any(${hashes}::text[])) as allowed
    from ledger where workspace_id = ${workspaceId} and created_at >= ${since}`.execute(ctx.store.db);
  const [counted] = rows;
  const calls = Number(counted?.calls ?? 0n);
  const inAllowlist = Number(counted?.allowed ?? 0n);
  const settings: PipelineSettings = { ...settingsOf(body), samplingRate: 1 };
  const history = new Date(ctx.now().getTime() - historyDays * dayMs);
  const latest = await latestCalls(ctx.store, { workspaceId, most: examined, since: history, hashes });
  const events = await eventsOf(ctx, latest, settings);
  const passed = (await inTurns(events, compilePipeline(settings))).map(({ fate }) => fate === "forwarded");
  const shareOf = (some: readonly boolean[]) => (some.length === 0 ? 0 : some.filter(Boolean).length / some.length);
  const passFilters = Math.round(
    inAllowlist * shareOf(passed.filter((_, at) => (events[at]?.startedAt ?? 0) >= since)),
  );
  const share = shareOf(passed);
  const rate = body.sampling_rate ?? 1;
  const perDay = await meanPerDay(ctx, workspaceId, hashes);
  return {
    data: {
      calls,
      in_allowlist: inAllowlist,
      pass_filters: passFilters,
      sampled: Math.round(passFilters * rate),
      passing_per_day: perDay === null ? null : perDay * share,
      per_day: perDay === null ? null : perDay * share * rate,
      examined: events.length,
    },
  };
}

/** Calls a day of the last seven, or of as many as the workspace has; null with less than one. */
async function meanPerDay(ctx: Context, workspaceId: string, hashes: readonly string[] | null): Promise<number | null> {
  const now = ctx.now();
  const { rows } = await sql<{ calls: bigint; first: Date | null }>`
    select coalesce(sum(requests) filter (where ${hashes}::text[] is null or key_hash = any(${hashes}::text[])), 0)::bigint as calls,
      min(hour) as first
    from usage_hourly
    where workspace_id = ${workspaceId} and hour >= ${new Date(now.getTime() - historyDays * dayMs)}`.execute(
    ctx.store.db,
  );
  const [row] = rows;
  if (row === undefined || row.first === null) return null;
  const days = (now.getTime() - row.first.getTime()) / dayMs;
  return days < 1 ? null : Number(row.calls) / days;
}

/** Calls that come in meanwhile have their turn: rules may read thousands of prompts. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const done: R[] = [];
  let began = performance.now();
  for (const item of items) {
    done.push(work(item));
    if (performance.now() - began < longestTurnMs) continue;
    await setImmediate();
    began = performance.now();
  }
  return done;
}

async function unsavedConfig(
  ctx: Context,
  { id, type, config }: { id?: string | undefined; type: DestinationType; config: Record<string, unknown> },
): Promise<{ config: StoredConfig; workspaceId: string | null }> {
  if (id === undefined) return { config: mergeConfig(type, config, null), workspaceId: null };
  const row = await find(ctx.store.db, id);
  if (row.type !== type) throw invalid("type", `must be ${row.type}, as the stored destination's`);
  return { config: mergeConfig(type, config, openConfig(ctx, row)), workspaceId: row.workspace_id };
}

async function workspaceOf(ctx: Context, id: string | null | undefined): Promise<string> {
  return await ctx.store.db.transaction().execute(async (trx) => (await requireWorkspace(trx, id ?? null)).id);
}

async function callToShow(ctx: Context, workspaceId: string, id: string | undefined) {
  const [row] =
    id === undefined
      ? await latestCalls(ctx.store, { workspaceId, most: 1 })
      : [await findCall(ctx.store, id)].filter((found) => found !== null);
  if (row === undefined) {
    if (id !== undefined) throw missingGeneration();
    return null;
  }
  const [event] = await withBodies(ctx, [row]);
  return event === undefined ? null : { event, kept: event.input !== null };
}

async function eventsOf(ctx: Context, rows: readonly LedgerJson[], settings: PipelineSettings) {
  return readsBodies(settings) ? await withBodies(ctx, rows) : rows.map((row) => eventOf(row, null));
}

/** Calls of one workspace with the bodies that are kept of them. */
export async function withBodies(
  ctx: Pick<Context, "store" | "secrets">,
  rows: readonly LedgerJson[],
): Promise<ForwardedEvent[]> {
  const read = async (name: string, text: string, values: readonly unknown[]) =>
    (await ctx.store.pool.query<{ json: string | null }>({ name, text, values: [...values] })).rows;
  const { bodies } = await readBodies(read, ctx.secrets, rows, mostBodyBytes);
  return await inTurns(rows, (row) => eventOf(row, bodyIn(bodies.get(row.id))));
}

function settingsOf(body: Partial<PreviewDestinationBody>): PipelineSettings {
  return {
    enabled: true,
    apiKeyHashes: body.api_key_hashes ?? null,
    filterRules: body.filter_rules ?? null,
    samplingRate: body.sampling_rate ?? 1,
    privacyMode: body.privacy_mode ?? false,
    broadcast: {
      cost: body.broadcast_generation_cost ?? false,
      identity: body.broadcast_generation_identity ?? false,
      requestContext: body.broadcast_generation_request_context ?? false,
    },
  };
}

function fateOf(fate: Fate) {
  const known = fate.fate === "disabled" ? "not_in_allowlist" : fate.fate;
  return { fate: known, rule: fate.fate === "filtered" ? fate.by : null };
}

/** The event as it would leave if no rule held it back. */
function stripped(event: ForwardedEvent, settings: PipelineSettings): ForwardedEvent {
  const fate = compilePipeline({ ...settings, apiKeyHashes: null, filterRules: null, samplingRate: 1 })(event);
  return fate.fate === "forwarded" ? fate.event : event;
}

type Removed = Output<typeof previewDestination>["data"]["removed"];

function removedFrom(event: ForwardedEvent, settings: PipelineSettings, notKept: boolean): Removed {
  const { broadcast, privacyMode } = settings;
  const by = (members: readonly (keyof ForwardedEvent)[], rule: Removed[number]["by"]): Removed =>
    members
      .filter((member) => event[member] !== null)
      .map((member) => ({ member, bytes: Buffer.byteLength(JSON.stringify(event[member])), by: rule }));
  const gone = (rule: Removed[number]["by"]): Removed =>
    ["input", "output"].map((member) => ({ member, bytes: null, by: rule }));
  const bodies = notKept
    ? gone(privacyMode ? "privacy_mode" : "not_kept")
    : privacyMode
      ? by(["input", "output"], "privacy_mode")
      : [];
  return [
    ...bodies,
    ...(broadcast.cost ? [] : by(["byokCost"], "broadcast_generation_cost")),
    ...(broadcast.identity ? [] : by(["keyHash", "keyName"], "broadcast_generation_identity")),
    ...(broadcast.requestContext
      ? []
      : by(["referer", "appTitle", "userAgent", "requestId"], "broadcast_generation_request_context")),
  ];
}

/** The config with its secrets masked before anything is written from it, so that no request can hold one. */
function masked(type: DestinationType, config: StoredConfig): StoredConfig {
  const members = configMembers(type);
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if (typeof value !== "string") {
        return [name, Object.fromEntries(Object.entries(value).map(([header, text]) => [header, maskSecret(text)]))];
      }
      if (members[name]?.secret !== true) return [name, value];
      const address = /^(https:\/\/)([^@/]+)(@.*)$/.exec(value);
      return [name, address ? `${address[1]}masked${address[3]}` : maskSecret(value)];
    }),
  );
}
