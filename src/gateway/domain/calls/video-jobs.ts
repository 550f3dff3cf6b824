import { type Selectable, sql } from "kysely";
import type pg from "pg";
import type { NanoUsd } from "#contract/money.ts";
import type { VideoStatus } from "#contract/videos.ts";
import type { VideoJobsTable } from "../../storage/video-tables.ts";
import type { Deps } from "../context.ts";
import { generationOfVideo, instantOfGeneration } from "../generation-id.ts";
import { SettledBefore, type Kept } from "../ledger/kept.ts";
import { notFound, Refusal } from "../refusal.ts";
import { videoAad } from "../secrets/aad.ts";
import { WrongSecretKey } from "../secrets/box.ts";

type Store = Pick<Deps, "store">;
type Clocked = Pick<Deps, "store" | "now">;

export type VideoJobRow = Selectable<VideoJobsTable>;
/** A job's primary key. */
export type JobKey = Pick<VideoJobRow, "workspace_id" | "created_at" | "id">;

/**
 * Until when one process keeps a job to itself: to ask a provider how it is coming on takes less. By the store's clock,
 * since those of two processes may differ.
 */
const claimed = sql<Date>`now() + interval '60 seconds'`;
/** No process has it, or the one that had it has gone. */
const unclaimed = sql<boolean>`(claimed_until is null or claimed_until <= now())`;
/** Of the jobs that are due, those that are looked at to find whose turn it is. */
const mostLookedAt = 256;
/** How often a process that submits a job says so. */
export const holdEveryMs = 20_000;
/** What is known of a job is deleted so long after its end. */
const keptMs = 30 * 86_400_000;

export type NewJob = Omit<
  VideoJobRow,
  | "upstream_id"
  | "status"
  | "spend_ids"
  | "reserved"
  | "result"
  | "error"
  | "cost"
  | "poll_at"
  | "polled_at"
  | "failures"
  | "ended_at"
  | "claimed_until"
  | "callback_at"
  | "callback_tries"
>;

/** Records a job before a provider is asked for it: if this process ends meanwhile, another one charges for it. */
export async function beginJob({ store, now }: Clocked, { call, pricing, ...job }: NewJob): Promise<void> {
  await store.db
    .insertInto("video_jobs")
    .values({
      ...job,
      call: JSON.stringify(call),
      pricing: pricing === null ? null : JSON.stringify(pricing),
      status: "pending",
      spend_ids: [],
      reserved: 0n,
      poll_at: now(),
      failures: 0,
      callback_tries: 0,
      claimed_until: claimed,
    })
    .execute();
}

/** Says that it is still being submitted; call it every `holdEveryMs`. */
export async function holdJob({ store }: Store, key: JobKey): Promise<void> {
  await store.db
    .updateTable("video_jobs")
    .set({ claimed_until: claimed })
    .where(isJob(key))
    .where("upstream_id", "is", null)
    .where("ended_at", "is", null)
    .execute();
}

/** Another provider is asked for it. */
export async function redirectJob(
  { store }: Store,
  key: JobKey,
  { provider, byok_id, pricing }: Pick<VideoJobRow, "provider" | "byok_id" | "pricing">,
): Promise<void> {
  await store.db
    .updateTable("video_jobs")
    .set({ provider, byok_id, pricing: pricing === null ? null : JSON.stringify(pricing) })
    .where(isJob(key))
    .execute();
}

/** No provider has it. */
export async function dropJob({ store }: Store, key: JobKey): Promise<void> {
  await store.db.deleteFrom("video_jobs").where(isJob(key)).where("ended_at", "is", null).execute();
}

/** A provider has it: in the transaction that keeps its reservation. @throws Refusal unavailable */
export async function acceptJob(
  client: pg.PoolClient,
  key: JobKey,
  accepted: Kept & Pick<VideoJobRow, "upstream_id" | "call" | "poll_at">,
): Promise<void> {
  const { rowCount } = await client.query(
    `update video_jobs set upstream_id = $4, call = $5, poll_at = $6, spend_ids = $7, reserved = $8, claimed_until = null
     where workspace_id = $1 and created_at = $2 and id = $3 and ended_at is null`,
    [
      key.workspace_id,
      key.created_at,
      key.id,
      accepted.upstream_id,
      JSON.stringify(accepted.call),
      accepted.poll_at,
      accepted.spendIds,
      accepted.amount,
    ],
  );
  if (rowCount === 1) return;
  throw new Refusal(
    "unavailable",
    "The job took too long to be recorded, and was given up: what it may have cost is charged where a limit counts it",
  );
}

/**
 * @param spendId of the key that asks: a key and its replacements share it; null: whoever asks has been let in
 * @throws Refusal not_found for a job of another key, as for one that there is not
 */
export async function findJob({ store }: Store, id: string, spendId: string | null): Promise<VideoJobRow> {
  const at = instantOfGeneration(generationOfVideo(id) ?? "");
  if (at === null) throw missingJob();
  const row = await store.db
    .selectFrom("video_jobs")
    .selectAll()
    .where("created_at", "=", at)
    .where("id", "=", id)
    .where("workspace_id", "in", ({ selectFrom }) => selectFrom("workspaces").select("id"))
    .where("upstream_id", "is not", null)
    .$if(spendId !== null, (query) => query.where("spend_id", "=", spendId ?? ""))
    .executeTakeFirst();
  if (row === undefined) throw missingJob();
  return row;
}

export const missingJob = (): Refusal => notFound("There is no video job with this id");

/** What is claimed at a time. */
interface Claiming {
  readonly most: number;
  /** providers, or workspaces, of which enough is under way here */
  readonly except: readonly string[];
}

/** Claims open jobs that are due. Of those that have been due longest, workspaces take turns. */
export async function claimDueJobs({ store, now }: Clocked, { most, except }: Claiming): Promise<VideoJobRow[]> {
  const at = now();
  const { rows } = await sql<VideoJobRow>`
    with first as (
      select workspace_id, created_at, id, poll_at from video_jobs
      where ended_at is null and poll_at <= ${at} and ${unclaimed} and provider <> all(${except}::text[])
      order by poll_at limit ${mostLookedAt}
    ), due as (
      select workspace_id, created_at, id from (
        select *, row_number() over (partition by workspace_id order by poll_at) as turn from first
      ) as open order by turn, poll_at limit ${most}
    ), mine as (
      select j.workspace_id, j.created_at, j.id from video_jobs j join due using (workspace_id, created_at, id)
      where ended_at is null and j.poll_at <= ${at} and ${unclaimed} for update of j skip locked
    )
    update video_jobs j set claimed_until = ${claimed} from mine
    where j.workspace_id = mine.workspace_id and j.created_at = mine.created_at and j.id = mine.id
    returning j.*`.execute(store.db);
  return rows;
}

/** Claims a job that was not asked about for a while, for a caller who asks. Null: somebody else asks, or did. */
export async function claimJob({ store, now }: Clocked, key: JobKey, restMs: number): Promise<VideoJobRow | null> {
  const rested = new Date(now().getTime() - restMs);
  const row = await store.db
    .updateTable("video_jobs")
    .set({ claimed_until: claimed })
    .where(isJob(key))
    .where("ended_at", "is", null)
    .where(unclaimed)
    .where((where) => where.or([where("polled_at", "is", null), where("polled_at", "<=", rested)]))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** A job that goes on, and is asked about again later. */
export interface Progress {
  readonly key: JobKey;
  readonly status: VideoStatus;
  readonly failures: number;
  readonly polledAt: Date;
  readonly pollAt: Date;
}

/** In one statement, however many they are. */
export async function keepJobs({ store }: Store, jobs: readonly Progress[]): Promise<void> {
  await sql`
    update video_jobs j
    set status = n.status, failures = n.failures, polled_at = n.polled_at, poll_at = n.poll_at, claimed_until = null
    from unnest(
      ${jobs.map(({ key }) => key.workspace_id)}::uuid[], ${jobs.map(({ key }) => key.created_at)}::timestamptz[],
      ${jobs.map(({ key }) => key.id)}::text[], ${jobs.map(({ status }) => status)}::text[],
      ${jobs.map(({ failures }) => failures)}::integer[], ${jobs.map(({ polledAt }) => polledAt)}::timestamptz[],
      ${jobs.map(({ pollAt }) => pollAt)}::timestamptz[]
    ) as n (workspace_id, created_at, id, status, failures, polled_at, poll_at)
    where j.workspace_id = n.workspace_id and j.created_at = n.created_at and j.id = n.id and j.ended_at is null
  `.execute(store.db);
}

/** How a job ended. */
export interface JobEnd {
  readonly status: VideoStatus;
  readonly cost: NanoUsd;
  readonly error: string | null;
  /** where its videos are */
  readonly urls: readonly string[];
  readonly at: Date;
}

/** Ends a job, in the transaction that charges it. @throws SettledBefore */
export async function endJob(
  client: pg.PoolClient,
  { secrets }: Pick<Deps, "secrets">,
  key: JobKey,
  { status, cost, error, urls, at }: JobEnd,
): Promise<void> {
  const result = urls.length === 0 ? null : secrets.seal(JSON.stringify(urls), videoAad(key.id));
  const { rowCount } = await client.query(
    `update video_jobs set status = $4, cost = $5, error = $6, result = $7, ended_at = $8, reserved = 0, sealed = null,
       claimed_until = null, callback_at = case when callback_url is null then null else $8::timestamptz end
     where workspace_id = $1 and created_at = $2 and id = $3 and ended_at is null`,
    [key.workspace_id, key.created_at, key.id, status, cost, error, result, at],
  );
  if (rowCount !== 1) throw new SettledBefore("the job had ended before");
}

/** Where the videos of a completed job are. Null: the secret key was lost meanwhile. */
export function urlsOf({ secrets }: Pick<Deps, "secrets">, { id, result }: VideoJobRow): readonly string[] | null {
  if (result === null) return [];
  try {
    return JSON.parse(secrets.open(result, videoAad(id))) as string[];
  } catch (error) {
    if (error instanceof WrongSecretKey) return null;
    throw error;
  }
}

/** When a job or what is told of one is next due, of those that no process has; null: there is none. */
export async function nextJobDue({ store }: Store): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select least(
      (select min(poll_at) from video_jobs where ended_at is null and ${unclaimed}),
      (select min(callback_at) from video_jobs where callback_at is not null and ${unclaimed})
    ) as due`.execute(store.db);
  return rows[0]?.due ?? null;
}

/** Call it once: of the only process on a store, no other one holds a job that is older than its start. */
export async function releaseClaims({ store }: Store, startedAt: Date): Promise<void> {
  if (store.engine === "postgres") return;
  await store.db
    .updateTable("video_jobs")
    .set({ claimed_until: null })
    .where("claimed_until", "is not", null)
    .where("created_at", "<", startedAt)
    .execute();
}

/** Claims ended jobs of which somebody is to be told. */
export async function claimCallbacks({ store, now }: Clocked, { most, except }: Claiming): Promise<VideoJobRow[]> {
  const { rows } = await sql<VideoJobRow>`
    update video_jobs j set claimed_until = ${claimed} from (
      select workspace_id, created_at, id from video_jobs
      where callback_at <= ${now()} and ${unclaimed} and workspace_id <> all(${except}::uuid[])
      order by callback_at limit ${most} for update skip locked
    ) as due
    where j.workspace_id = due.workspace_id and j.created_at = due.created_at and j.id = due.id
    returning j.*`.execute(store.db);
  return rows;
}

/** @param again when to try again; null: never */
export async function endCallback({ store, now }: Clocked, key: JobKey, againMs: number | null): Promise<void> {
  await store.db
    .updateTable("video_jobs")
    .set(({ eb }) => ({
      callback_at: againMs === null ? null : new Date(now().getTime() + againMs),
      callback_tries: eb("callback_tries", "+", 1),
      claimed_until: null,
    }))
    .where(isJob(key))
    .execute();
}

/** Deletes what ended long ago. */
export async function purgeJobs({ store, now }: Clocked): Promise<void> {
  await store.db
    .deleteFrom("video_jobs")
    .where("ended_at", "<", new Date(now().getTime() - keptMs))
    .execute();
}

const isJob = ({ workspace_id, created_at, id }: JobKey) =>
  sql<boolean>`workspace_id = ${workspace_id} and created_at = ${created_at} and id = ${id}`;
