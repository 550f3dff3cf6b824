import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { mostCanaryRuns, type CanaryRun } from "#contract/canaries.ts";
import type { CanariesTable } from "../../storage/canary-tables.ts";
import type { Deps } from "../context.ts";
import { orderedId } from "../ordered-id.ts";
import { nextDelayMs } from "./canary-verdict.ts";

const channel = "gatehouse_canaries";
/** How long a process may be silent until another one takes its run over. */
const claimMs = 60_000;

/** Calls `hear` when a canary may be due earlier than it was. */
export function watchCanaries({ store }: Pick<Deps, "store">, hear: () => void): void {
  store.notices.listen(channel, hear);
}

export async function announceCanaries({ store }: Pick<Deps, "store">): Promise<void> {
  await store.notices.send(channel, "");
}

/** A canary that this process alone runs now. */
export interface ClaimedCanary extends Selectable<CanariesTable> {
  claim: string;
}

/** Claims the canary that is due for longest; null: none is. Those whose endpoint or workspace is gone are removed. */
export async function claimDue({ store, now }: Pick<Deps, "store" | "now">): Promise<ClaimedCanary | null> {
  const at = now();
  await sql`
    delete from canaries c where next_run_at <= ${at} and not exists (
      select from provider_models m join workspaces w on w.id = c.workspace_id and w.deleted_at is null
      where m.provider_slug = c.provider and m.id = c.model and m.type = 'embedding')`.execute(store.db);
  const claim = randomUUID();
  const { rows } = await sql<Selectable<CanariesTable>>`
    update canaries set claim = ${claim}, claimed_until = ${new Date(at.getTime() + claimMs)}
    where id = (
      select id from canaries where next_run_at <= ${at} and (claimed_until is null or claimed_until <= ${at})
      order by next_run_at limit 1 for update skip locked)
    returning *`.execute(store.db);
  const [row] = rows;
  return row === undefined ? null : { ...row, claim };
}

/** Says that the run is still under way; call it every third of a minute. */
export async function keepClaim({ store, now }: Pick<Deps, "store" | "now">, { id, claim }: ClaimedCanary) {
  await store.db
    .updateTable("canaries")
    .set({ claimed_until: new Date(now().getTime() + claimMs) })
    .where("id", "=", id)
    .where("claim", "=", claim)
    .execute();
}

/** Gives a run up that was not finished: another process may begin it again. */
export async function releaseClaim({ store }: Pick<Deps, "store">, { id, claim }: ClaimedCanary): Promise<void> {
  await store.db
    .updateTable("canaries")
    .set({ claim: null, claimed_until: null })
    .where("id", "=", id)
    .where("claim", "=", claim)
    .execute();
}

/** When the next canary is due; null: there is none. */
export async function nextDue({ store }: Pick<Deps, "store">): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select min(greatest(next_run_at, claimed_until)) as due from canaries`.execute(store.db);
  return rows[0]?.due ?? null;
}

/** What a run found. */
export interface Finding {
  readonly run: Omit<CanaryRun, "id" | "at">;
  /** what of the canary changes with it */
  readonly changes: Partial<
    Pick<
      Selectable<CanariesTable>,
      | "baseline"
      | "baseline_space"
      | "baseline_at"
      | "noise"
      | "measure"
      | "suspected"
      | "drift_since"
      | "drift_reason"
      | "drift_distance"
      | "drift_space"
    >
  >;
}

/**
 * Writes a run down and sets the next one. Nothing is written where the claim was lost meanwhile.
 * @param random from 0 up to 1
 */
export async function recordRun(
  deps: Deps,
  claimed: ClaimedCanary,
  { run, changes }: Finding,
  random: number,
): Promise<void> {
  const { store, now } = deps;
  const at = now();
  const isChanged = await store.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("canaries")
      .select(["every_hours", "failures", "measure", "suspected"])
      .where("id", "=", claimed.id)
      .where("claim", "=", claimed.claim)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return false;
    const failures = run.outcome === "failed" ? row.failures + 1 : 0;
    const { suspected } = { ...row, ...changes };
    const delayMs = nextDelayMs({ everyHours: row.every_hours, failures, suspected }, random);
    // An admin who accepted a new baseline while it ran waits for it.
    const isWanted = row.measure && !claimed.measure;
    await trx
      .updateTable("canaries")
      .set({
        ...changes,
        ...(isWanted && { measure: true }),
        failures,
        next_run_at: isWanted ? at : new Date(at.getTime() + delayMs),
        claim: null,
        claimed_until: null,
      })
      .where("id", "=", claimed.id)
      .execute();
    await trx
      .insertInto("canary_runs")
      .values({ ...run, id: orderedId(at), canary_id: claimed.id, at })
      .execute();
    await sql`
      delete from canary_runs where canary_id = ${claimed.id} and id < (
        select id from canary_runs where canary_id = ${claimed.id} order by id desc offset ${mostCanaryRuns - 1} limit 1
      )`.execute(trx);
    if (!areOtherVectors(claimed, changes)) return false;
    const { provider, model } = claimed;
    await sql`
      insert into vectors_since (provider, model, since) select slug, ${model}, ${at} from providers
      where slug = ${provider} on conflict (provider, model) do update set since = excluded.since`.execute(trx);
    return true;
  });
  if (isChanged) await deps.catalog.changed(deps);
}

/** Whether cached vectors are none of the endpoint's any more: a drift was confirmed, or it ended, or there is a new baseline. */
function areOtherVectors(before: ClaimedCanary, changes: Finding["changes"]): boolean {
  if (changes.baseline !== undefined) return before.baseline !== null;
  return changes.drift_since !== undefined && (changes.drift_since === null) !== (before.drift_since === null);
}

/** How many canaries there are by what they report. */
export async function countCanaries({ db }: Pick<Deps["store"], "db">) {
  const { rows } = await sql<{ drift: bigint; steady: bigint; fresh: bigint; failing: bigint }>`
    select count(*) filter (where drift_since is not null) as drift,
      count(*) filter (where drift_since is null and baseline_at is not null) as steady,
      count(*) filter (where drift_since is null and baseline_at is null) as fresh,
      count(*) filter (where failures > 0) as failing
    from canaries`.execute(db);
  const [row] = rows;
  const figure = (count: bigint | undefined) => Number(count ?? 0n);
  return {
    drift: figure(row?.drift),
    steady: figure(row?.steady),
    new: figure(row?.fresh),
    failing: figure(row?.failing),
  };
}
