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
import { keeps, samplingId } from "#contract/sampling.ts";
import type { Context } from "../context.ts";
import { mergeConfig, type StoredConfig } from "./config.ts";
import { maskSecret } from "../secrets/mask.ts";
import { refuseWrongRules } from "./filters.ts";
import { compilePipeline, type Decision, type PipelineSettings, withheld } from "./pipeline.ts";
import { newSettings, pipelineSettings, readsBodies } from "./settings.ts";
import { areSlow, filterInThread } from "./filter-thread.ts";
import { configProblem, find, readableConfig } from "./destinations.ts";
import { exampleEvent } from "./example-event.ts";
import { eventOf, type LedgerJson } from "./events.ts";
import { findCall, latestCalls, latestToDecide } from "./forwarded-calls.ts";
import { missingGeneration } from "../calls/generations.ts";
import { bodyIn, readBodies } from "../bodies/store.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { mapInTurns, takeTurns } from "../../turns.ts";
import { invalid, Refusal } from "../refusal.ts";
import { requireWorkspace } from "../workspaces/row.ts";

const dayMs = 86_400_000;
const historyDays = 7;
const tried = 200;
const examined = 2_000;
const measured = 20;
const mostBodyBytes = 8_000_000;

/** Sends a marked test with unsaved settings. */
export async function test(ctx: Context, body: TestDestinationBody): Promise<Output<typeof testDestination>> {
  refuseUnlessManagement(ctx);
  const { config } = await unsavedConfig(ctx, body);
  return { data: await ctx.sinks.test(body.type, config) };
}

/** What unsaved settings would send for one call, and what they would withhold. */
export async function preview(ctx: Context, body: PreviewDestinationBody): Promise<Output<typeof previewDestination>> {
  refuseUnlessManagement(ctx);
  refuseWrongRules(body.filter_rules);
  const { config, workspaceId: stored } = await unsavedConfig(ctx, body);
  const workspaceId = await workspaceOf(ctx, body.workspace_id ?? stored);
  const found = await callToShow(ctx, workspaceId, body.generation_id);
  const settings = pipelineSettings(newSettings(body));
  const example = exampleEvent(workspaceId, ctx.now());
  // Where bodies would be sent, they are shown; for a call without stored bodies, the example's are.
  const standIn = found !== null && !found.kept && !settings.privacyMode;
  const event =
    found === null ? example : standIn ? { ...found.event, input: example.input, output: example.output } : found.event;
  const sent = stripped(event, settings);
  const shown = masked(body.type, config);
  const requests = await ctx.sinks.preview(body.type, shown, [sent]);
  return {
    data: {
      generation_id: event.id,
      real: found !== null,
      ...shownDecision(await decide(event, settings)),
      requests,
      example_bodies: standIn || found === null,
      removed: removedFrom(event, settings, found !== null && !found.kept),
      size: await meanSize(ctx, workspaceId, settings, (events) => ctx.sinks.preview(body.type, shown, events)),
    },
  };
}

/** The mean size, as sent, of the latest calls that pass keys and rules; null where none can be measured. */
async function meanSize(
  ctx: Context,
  workspaceId: string,
  settings: PipelineSettings,
  write: (events: readonly ForwardedEvent[]) => Promise<readonly { body: string }[]>,
): Promise<{ mean_bytes: number; calls: number } | null> {
  const rows = await latestCalls(ctx.store, { workspaceId, most: measured, hashes: settings.apiKeyHashes });
  const events = await withBodies(ctx, rows);
  const decisions = await decideAll(events, { ...settings, samplingRate: 1 });
  const sent = decisions.flatMap((decision) => (decision.outcome === "forwarded" ? [decision.event] : []));
  // A call whose bodies were deleted does not show how large one with bodies is.
  const whole = settings.privacyMode ? sent : sent.filter(({ input }) => input !== null);
  if (whole.length === 0) return null;
  const written = await Promise.all(whole.map((event) => write([event])));
  const bytes = written.flat().reduce((all, { body }) => all + Buffer.byteLength(body), 0);
  return { mean_bytes: Math.round(bytes / whole.length), calls: whole.length };
}

/** How unsaved rules apply to the latest calls. */
export async function tryRules(ctx: Context, body: TryDestinationBody): Promise<Output<typeof tryDestination>> {
  refuseUnlessManagement(ctx);
  refuseWrongRules(body.filter_rules);
  const settings = pipelineSettings(newSettings(body));
  const workspaceId = await workspaceOf(ctx, body.workspace_id);
  const events = await eventsOf(ctx, await latestCalls(ctx.store, { workspaceId, most: tried }), settings);
  const decisions = await decideAll(events, settings);
  return {
    data: events.map((event, index) => ({
      generation_id: event.id,
      created_at: event.startedAt.toISOString(),
      model: event.model,
      ...shownDecision(decisions[index] as Decision),
    })),
  };
}

/** How much unsaved settings would forward per day, estimated from recent calls. */
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
  const settings: PipelineSettings = { ...pipelineSettings(newSettings(body)), samplingRate: 1 };
  const history = new Date(ctx.now().getTime() - historyDays * dayMs);
  const latest = await latestToDecide(ctx.store, { workspaceId, most: examined, since: history, hashes });
  const events = await eventsOf(ctx, latest, settings);
  const decisions = await decideAll(events, settings);
  const passing = events.filter((_, at) => decisions[at]?.outcome === "forwarded");
  const lately = events.filter(({ startedAt }) => startedAt >= since).length;
  const passingLately = passing.filter(({ startedAt }) => startedAt >= since);
  const rate = body.sampling_rate ?? 1;
  const sampledLately = passingLately.filter((event) => keeps(samplingId(event), rate));
  const exact = lately >= inAllowlist;
  const scale = exact || lately === 0 ? 1 : inAllowlist / lately;
  const share = events.length === 0 ? 0 : passing.length / events.length;
  const perDay = await meanPerDay(ctx, workspaceId, hashes);
  return {
    data: {
      calls,
      in_allowlist: inAllowlist,
      pass_filters: Math.round(passingLately.length * scale),
      sampled: Math.round(sampledLately.length * scale),
      exact,
      passing_sessions: sessionSizes(passingLately).length,
      sampled_sessions: sessionSizes(sampledLately).length,
      calls_per_session: meanSessionSize(passing),
      passing_per_day: perDay === null ? null : perDay * share,
      per_day: perDay === null ? null : perDay * share * rate,
      examined: events.length,
    },
  };
}

/** The number of calls in each session. */
function sessionSizes(events: readonly ForwardedEvent[]): number[] {
  const sizes = new Map<string, number>();
  for (const event of events) {
    const session = samplingId(event);
    sizes.set(session, (sizes.get(session) ?? 0) + 1);
  }
  return [...sizes.values()];
}

/** The size of a call's session, averaged over calls: the variance of sampling grows with it. */
function meanSessionSize(events: readonly ForwardedEvent[]): number | null {
  if (events.length === 0) return null;
  return sessionSizes(events).reduce((all, size) => all + size * size, 0) / events.length;
}

/** Calls per day over the last seven days, or as many as the workspace has; null with less than one. */
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

/** Rules may read thousands of prompts. */
const takesTurns = () => takeTurns("dry run", { patient: true });

/** The outcome for an event; slow rules run in a thread of their own. */
export async function decide(event: ForwardedEvent, settings: PipelineSettings): Promise<Decision> {
  const [decision] = await decideAll([event], settings);
  return decision as Decision;
}

/** The same for many, a few at a time. */
export async function decideAll(events: readonly ForwardedEvent[], settings: PipelineSettings): Promise<Decision[]> {
  const { filterRules } = settings;
  if (filterRules === null || !areSlow(filterRules))
    return await mapInTurns(events, takesTurns(), compilePipeline(settings));
  const filtered = await filterInThread(events, filterRules);
  return await mapInTurns(
    events,
    takesTurns(),
    compilePipeline(settings, (event) => filtered.get(event) ?? null),
  );
}

async function unsavedConfig(
  ctx: Context,
  { id, type, config }: { id?: string | undefined; type: DestinationType; config: Record<string, unknown> },
): Promise<{ config: StoredConfig; workspaceId: string | null }> {
  if (id === undefined) return { config: mergeConfig(type, config, null), workspaceId: null };
  const row = await find(ctx.store.db, id);
  if (row.type !== type) throw invalid("type", `must be ${row.type}, as the stored destination's`);
  try {
    return { config: mergeConfig(type, config, readableConfig(ctx, row)), workspaceId: row.workspace_id };
  } catch (error) {
    const problem = configProblem(ctx, row);
    if (problem === null || !(error instanceof Refusal)) throw error;
    throw new Refusal("invalid_request", `${problem}. Enter all of them again`);
  }
}

export async function workspaceOf(ctx: Context, id: string | null | undefined): Promise<string> {
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

/** Calls as rules see them: with their bodies where a rule reads those. */
export async function eventsOf(ctx: Context, rows: readonly LedgerJson[], settings: PipelineSettings) {
  return readsBodies(settings) ? await withBodies(ctx, rows) : rows.map((row) => eventOf(row, null));
}

/** Calls of one workspace with their stored bodies. */
export async function withBodies(
  ctx: Pick<Context, "store" | "secrets">,
  rows: readonly LedgerJson[],
): Promise<ForwardedEvent[]> {
  const read = async (name: string, text: string, values: readonly unknown[]) =>
    (await ctx.store.pool.query<{ json: string | null }>({ name, text, values: [...values] })).rows;
  const { bodies } = await readBodies(read, ctx.secrets, rows, mostBodyBytes);
  return await mapInTurns(rows, takesTurns(), (row) => eventOf(row, bodyIn(bodies.get(row.id))));
}

function shownDecision(decision: Decision) {
  const known = decision.outcome === "disabled" ? "not_in_allowlist" : decision.outcome;
  return { outcome: known, rule: decision.outcome === "filtered" ? decision.by : null };
}

/** The event as it would be sent if no rule held it back. */
function stripped(event: ForwardedEvent, settings: PipelineSettings): ForwardedEvent {
  const decision = compilePipeline({ ...settings, apiKeyHashes: null, filterRules: null, samplingRate: 1 })(event);
  return decision.outcome === "forwarded" ? decision.event : event;
}

type Removed = Output<typeof previewDestination>["data"]["removed"];

function removedFrom(event: ForwardedEvent, settings: PipelineSettings, notKept: boolean): Removed {
  return withheld(settings).flatMap(({ member, by }): Removed => {
    if (by === "privacy_mode" && notKept) return [{ member, bytes: null, by }];
    const value = event[member];
    return value === null ? [] : [{ member, bytes: Buffer.byteLength(JSON.stringify(value)), by }];
  });
}

/** The config with its secrets masked before anything is built from it, so that no request can contain one. */
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
