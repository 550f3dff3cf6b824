import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import {
  type CanaryRecord,
  type createCanary,
  type listCanaries,
  type listCanaryRuns,
  mostCanaries,
  type updateCanary,
} from "#contract/canaries.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { minuteMs } from "#contract/time.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { purposeCredential } from "../keys/purpose-key.ts";
import { patched } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, notFound, Refusal } from "../refusal.ts";
import { requireWorkspace } from "../workspaces/row.ts";
import {
  auditedCanary,
  baselineRecord,
  canaryColumns,
  canaryRecord,
  type CanaryRow,
  type CanaryRunRow,
  runRecord,
} from "./canary-record.ts";
import { announceCanaries } from "./canary-runs.ts";
import { countOf } from "../count-of.ts";

type Trx = Transaction<Tables>;

export async function list(
  ctx: Context,
  { model }: Parsed<typeof listCanaries>["query"],
): Promise<Output<typeof listCanaries>> {
  refuseUnlessManagement(ctx);
  let rows = ctx.store.db.selectFrom("canaries").select(canaryColumns).orderBy("model").orderBy("provider");
  if (model !== undefined) rows = rows.where("model", "=", model);
  return { data: await records(ctx, await rows.execute()) };
}

/** Watches a provider's embedding model. Its first run, which measures the baseline, begins at once. */
export async function create(ctx: Context, body: Parsed<typeof createCanary>["body"]): Promise<CanaryRecord> {
  refuseUnlessManagement(ctx);
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    await refuseUnwatchable(trx, body);
    const workspace = await requireWorkspace(trx, body.workspace_id ?? null);
    const count = await countOf(trx.selectFrom("canaries"));
    if (count >= mostCanaries) {
      throw new Refusal("conflict", `There are ${mostCanaries} drift canaries, which is the most: remove one first`);
    }
    const made = await trx
      .insertInto("canaries")
      .values({
        id: randomUUID(),
        provider: body.provider,
        model: body.model,
        workspace_id: workspace.id,
        every_hours: body.every_hours ?? 24,
        created_at: ctx.now(),
        created_by: ctx.actor.name,
        measure: true,
        suspected: false,
        failures: 0,
        next_run_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.columns(["provider", "model"]).doNothing())
      .returning(canaryColumns)
      .executeTakeFirst();
    if (made === undefined) throw new Refusal("conflict", `${body.model} at ${body.provider} is watched already`);
    await record(trx, ctx, "createCanary", { before: null, after: made });
    return made;
  });
  // Made here and not by the first run: its audit row then says which admin it goes back to.
  await purposeCredential(ctx, row.workspace_id, "canary").catch(leaveToTheRun);
  await announceCanaries(ctx);
  return await one(ctx, row);
}

export async function update(
  ctx: Context,
  id: string,
  body: Parsed<typeof updateCanary>["body"],
): Promise<CanaryRecord> {
  refuseUnlessManagement(ctx);
  const { row, changed } = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, id);
    if (body.workspace_id !== undefined) await requireWorkspace(trx, body.workspace_id);
    const after = patched(before, body);
    if (after === before) return { row: before, changed: false };
    const latest = ctx.now().getTime() + after.every_hours * 60 * minuteMs;
    const next = { ...after, next_run_at: new Date(Math.min(after.next_run_at.getTime(), latest)) };
    const { workspace_id, every_hours, next_run_at } = next;
    await trx.updateTable("canaries").set({ workspace_id, every_hours, next_run_at }).where("id", "=", id).execute();
    await record(trx, ctx, "updateCanary", { before, after: next });
    return { row: next, changed: true };
  });
  if (body.workspace_id !== undefined) await purposeCredential(ctx, row.workspace_id, "canary").catch(leaveToTheRun);
  if (changed) await announceCanaries(ctx);
  return await one(ctx, row);
}

export async function remove(ctx: Context, id: string): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, id);
    await trx.deleteFrom("canaries").where("id", "=", id).execute();
    await record(trx, ctx, "deleteCanary", { before, after: null });
  });
  return { deleted: true };
}

/** How often an admin may have a canary call its provider. */
const leastMs = minuteMs;

/** Runs it now; nothing changes while it runs. @throws Refusal rate_limit_exceeded within a minute of its last run */
export async function check(ctx: Context, id: string): Promise<CanaryRecord> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, id);
    if (isRunning(before, now) || before.next_run_at <= now) return before;
    const [last] = await lastRuns(trx, [id]);
    if (last !== undefined) refuseSoonAfter(last.at, now, "run");
    await trx.updateTable("canaries").set({ next_run_at: now }).where("id", "=", id).execute();
    return { ...before, next_run_at: now };
  });
  await announceCanaries(ctx);
  return await one(ctx, row);
}

/** Has a new baseline measured, which ends a drift. @throws Refusal rate_limit_exceeded within a minute of the last one */
export async function acceptBaseline(ctx: Context, id: string): Promise<CanaryRecord> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, id);
    if (before.measure) return before;
    if (before.baseline_at !== null) refuseSoonAfter(before.baseline_at, now, "baseline");
    const after = { ...before, measure: true, next_run_at: now };
    await trx.updateTable("canaries").set({ measure: true, next_run_at: now }).where("id", "=", id).execute();
    const shown = (row: CanaryRow) => ({ measures_next: row.measure, baseline: baselineRecord(row) });
    await recordChange(trx, ctx, {
      action: "acceptCanaryBaseline",
      target: target(before),
      before: { ...shown(before), drift_since: before.drift_since, drift_space: before.drift_space },
      after: { ...shown(after), baseline: null, drift_since: null, drift_space: null },
    });
    return after;
  });
  await announceCanaries(ctx);
  return await one(ctx, row);
}

export async function runs(
  ctx: Context,
  id: string,
  { limit = 100 }: Parsed<typeof listCanaryRuns>["query"],
): Promise<Output<typeof listCanaryRuns>> {
  refuseUnlessManagement(ctx);
  const there = await ctx.store.db.selectFrom("canaries").select("id").where("id", "=", id).executeTakeFirst();
  if (there === undefined) throw noSuchCanary();
  const rows = await ctx.store.db
    .selectFrom("canary_runs")
    .selectAll()
    .where("canary_id", "=", id)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return { data: rows.map(runRecord) };
}

/** Without a key it cannot run, and says so as it does later: the canary itself is there already. */
function leaveToTheRun(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

/** The endpoint must be there, and a vendor's: what a built-in model computes changes with this program alone. */
async function refuseUnwatchable(
  trx: Trx,
  { provider, model }: Pick<Parsed<typeof createCanary>["body"], "provider" | "model">,
): Promise<void> {
  const found = await trx
    .selectFrom("provider_models as m")
    .innerJoin("providers as p", "p.slug", "m.provider_slug")
    .select(["m.type", "p.kind"])
    .where("m.provider_slug", "=", provider)
    .where("m.id", "=", model)
    // It must not be removed between this and the insert.
    .forKeyShare()
    .executeTakeFirst();
  if (found === undefined) throw notFound(`${provider} offers no model ${model}`);
  if (found.type !== "embedding") throw invalid("model", "must be an embedding model: others make no vectors");
  if (found.kind === "builtin") {
    throw invalid("model", "is built in: its vectors change with Gatehouse's version alone, and so does their space");
  }
}

function refuseSoonAfter(at: Date, now: Date, what: "run" | "baseline"): void {
  const leftMs = at.getTime() + leastMs - now.getTime();
  if (leftMs <= 0 || leftMs > leastMs) return;
  const retryAfterSeconds = Math.ceil(leftMs / 1_000);
  throw new Refusal("rate_limit_exceeded", `Its last ${what} is less than a minute ago: try again in a minute`, {
    retryAfterSeconds,
  });
}

function isRunning({ claimed_until: until }: CanaryRow, now: Date): boolean {
  return until !== null && until > now;
}

async function lock(trx: Trx, id: string): Promise<CanaryRow> {
  const row = await trx
    .selectFrom("canaries")
    .select(canaryColumns)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw noSuchCanary();
  return row;
}

async function one(ctx: Context, row: CanaryRow): Promise<CanaryRecord> {
  const [data] = await records(ctx, [row]);
  if (data === undefined) throw new Error("one canary has one record");
  return data;
}

async function records(ctx: Context, rows: readonly CanaryRow[]): Promise<CanaryRecord[]> {
  if (rows.length === 0) return [];
  const now = ctx.now();
  const last = await lastRuns(
    ctx.store.db,
    rows.map(({ id }) => id),
  );
  const providers = await ctx.store.db.selectFrom("providers").select(["slug", "name"]).execute();
  return rows.map((row) =>
    canaryRecord(row, {
      now,
      last: last.find(({ canary_id }) => canary_id === row.id),
      providerName: providers.find(({ slug }) => slug === row.provider)?.name ?? row.provider,
    }),
  );
}

async function lastRuns(db: Context["store"]["db"] | Trx, ids: readonly string[]): Promise<CanaryRunRow[]> {
  return await db
    .selectFrom("canary_runs")
    .selectAll()
    .distinctOn("canary_id")
    .where("canary_id", "in", ids)
    .orderBy("canary_id")
    .orderBy("id", "desc")
    .execute();
}

function noSuchCanary(): Refusal {
  return notFound("There is no drift canary with this id");
}

function target({ id, provider, model, workspace_id }: CanaryRow) {
  return { type: "canary", id, name: `${model} at ${provider}`, workspaceId: workspace_id };
}

async function record(
  trx: Trx,
  ctx: Context,
  action: EndpointName,
  { before, after }: { before: CanaryRow | null; after: CanaryRow | null },
): Promise<void> {
  const row = after ?? before;
  if (row === null) return;
  await recordChange(trx, ctx, {
    action,
    target: target(row),
    before: before && auditedCanary(before),
    after: after && auditedCanary(after),
  });
}
