import { type Selectable, sql } from "kysely";
import type { BatchRequestsTable } from "../../storage/batch-tables.ts";
import type { Deps } from "../context.ts";
import { type BatchKey, type BatchRow, isBatch, mostWorkspaceBytes } from "./batches.ts";

type Store = Pick<Deps, "store">;
type Clocked = Pick<Deps, "store" | "now">;

/** A request that this process makes, and of no other. */
export type ClaimedRequest = Selectable<BatchRequestsTable> & {
  readonly request_id: string;
  /** the batches of its workspace had taken all that they may when it was claimed; absent: it was not claimed to be made */
  readonly is_full?: boolean;
};

/** Until when one process keeps a request to itself, by the store's clock; it says so again every `holdEveryMs`. */
const claimed = sql<Date>`now() + interval '90 seconds'`;
export const holdEveryMs = 20_000;

const isOpen = (at: Date) =>
  sql<boolean>`(ended_at is null and status in ('validating', 'in_progress') and expires_at > ${at})`;

interface Claiming {
  readonly requestIds: readonly string[];
  /** keys of which enough is under way here, by what they spend */
  readonly except: readonly string[];
}

/**
 * Claims requests of one batch, as many as there are ids. Keys take turns: it is a batch of the key whose turn was the
 * longest ago, and of its batches the oldest that has something due.
 */
export async function claimRequests(
  { store, now }: Clocked,
  { requestIds, except }: Claiming,
): Promise<{ batch: BatchRow; requests: ClaimedRequest[] } | null> {
  const at = now();
  const { rows } = await sql<ClaimedRequest>`
    with spenders as (
      select spend_id, max(served_at) as served_at, min(created_at) as created_at from batches
      where ${isOpen(at)} and spend_id <> all(${except}::uuid[]) group by spend_id
    ), oldest as (
      select found.* from (select * from spenders order by served_at nulls first, created_at) as turn
      cross join lateral (
        select b.workspace_id, b.created_at, b.id from batches b
        where b.spend_id = turn.spend_id and ${isOpen(at)} and exists (
          select from batch_requests r
          where r.workspace_id = b.workspace_id and r.created_at = b.created_at and r.batch_id = b.id
            and r.state = 'queued' and r.due_at <= ${at}
        ) order by b.created_at, b.id limit 1
      ) as found
      order by turn.served_at nulls first, turn.created_at limit 1
    ), chosen as (
      update batches b set served_at = clock_timestamp(), status = 'in_progress' from oldest
      where b.workspace_id = oldest.workspace_id and b.created_at = oldest.created_at and b.id = oldest.id
        and b.status in ('validating', 'in_progress')
      returning b.workspace_id, b.created_at, b.id
    ), mine as (
      select due.* from chosen c cross join lateral (
        select r.workspace_id, r.created_at, r.batch_id, r.n from batch_requests r
        where r.workspace_id = c.workspace_id and r.created_at = c.created_at and r.batch_id = c.id
          and r.state = 'queued' and r.due_at <= ${at}
        order by r.due_at, r.n limit ${requestIds.length} for update of r skip locked
      ) as due
    ), numbered as (
      select *, row_number() over (order by n) as place from mine
    ), kept as (
      select s.bytes from batch_space s join chosen using (workspace_id)
    )
    update batch_requests r
    set state = 'running', claimed_until = ${claimed}, tries = r.tries + 1,
      request_id = (${requestIds}::text[])[numbered.place::integer]
    from numbered
    where r.workspace_id = numbered.workspace_id and r.created_at = numbered.created_at
      and r.batch_id = numbered.batch_id and r.n = numbered.n
    returning r.*, (select bytes from kept) >= ${mostWorkspaceBytes} as is_full`.execute(store.db);
  const [first] = rows;
  if (first === undefined) return null;
  const batch = await batchOf({ store }, first);
  return batch === null ? null : { batch, requests: rows };
}

async function batchOf(
  { store }: Store,
  { workspace_id, created_at, batch_id: id }: Pick<ClaimedRequest, "workspace_id" | "created_at" | "batch_id">,
): Promise<BatchRow | null> {
  const key = { workspace_id, created_at, id };
  return (await store.db.selectFrom("batches").selectAll().where(isBatch(key)).executeTakeFirst()) ?? null;
}

/** Says that these are still being made. */
export async function holdRequests({ store }: Store, requests: readonly ClaimedRequest[]): Promise<void> {
  if (requests.length === 0) return;
  await sql`
    update batch_requests r set claimed_until = ${claimed}
    from unnest(
      ${requests.map((one) => one.workspace_id)}::uuid[], ${requests.map((one) => one.created_at)}::timestamptz[],
      ${requests.map((one) => one.batch_id)}::text[], ${requests.map((one) => one.n)}::integer[],
      ${requests.map((one) => one.request_id)}::text[]
    ) as held (workspace_id, created_at, batch_id, n, request_id)
    where r.workspace_id = held.workspace_id and r.created_at = held.created_at and r.batch_id = held.batch_id
      and r.n = held.n and r.request_id = held.request_id and r.state = 'running'`.execute(store.db);
}

/** How a request ended. */
export interface RequestEnd {
  readonly state: "completed" | "failed";
  /** encrypted */
  readonly result: Buffer;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/**
 * Keeps a request's result, and ends its batch with the last one: in one statement, so that a batch that has ended has
 * all of them. What was ended before, as one whose claim had run out, stays as it was.
 */
export async function endRequest({ store, now }: Clocked, request: ClaimedRequest, end: RequestEnd): Promise<boolean> {
  const { workspace_id, created_at, batch_id, n, request_id } = request;
  const more = end.result.length - (request.request?.length ?? 0);
  const { rows } = await sql`
    with ended as (
      update batch_requests set state = ${end.state}, result = ${end.result}, request = null, claimed_until = null
      where workspace_id = ${workspace_id} and created_at = ${created_at} and batch_id = ${batch_id} and n = ${n}
        and state = 'running' and request_id = ${request_id}
      returning 1
    ), batch as (
      update batches b set
        completed = b.completed + ${end.state === "completed" ? 1 : 0}, failed = b.failed + ${end.state === "failed" ? 1 : 0},
        prompt_tokens = b.prompt_tokens + ${end.promptTokens},
        completion_tokens = b.completion_tokens + ${end.completionTokens},
        bytes = b.bytes + ${more},
        ${endedWithOne(now())}
      from ended
      where b.workspace_id = ${workspace_id} and b.created_at = ${created_at} and b.id = ${batch_id}
      returning b.workspace_id
    ), space as (
      update batch_space s set bytes = s.bytes + ${more} from batch where s.workspace_id = batch.workspace_id
    )
    select 1 from batch`.execute(store.db);
  return rows.length > 0;
}

/** What becomes of a batch of which one more request has ended. */
const endedWithOne = (at: Date) => sql`
  status = case
    when b.ended_at is not null or b.completed + b.failed + b.cancelled + b.expired + 1 < b.total then b.status
    when b.status = 'cancelling' then 'cancelled'
    when b.expires_at <= ${at} and b.expired > 0 then 'expired'
    else 'completed'
  end,
  ended_at = case
    when b.ended_at is not null or b.completed + b.failed + b.cancelled + b.expired + 1 < b.total then b.ended_at
    else ${at}
  end`;

/** When a request is to be made again, which was not made or which its provider refused. */
export interface RequestAgain {
  /** milliseconds */
  readonly againIn: number;
  /** whether a provider was asked: only then does it count as a try */
  readonly wasAsked: boolean;
}

/** Puts a request back into the queue. */
export async function requeueRequest(
  { store, now }: Clocked,
  { workspace_id, created_at, batch_id, n, request_id, tries }: ClaimedRequest,
  { againIn, wasAsked }: RequestAgain,
): Promise<void> {
  await store.db
    .updateTable("batch_requests")
    .set({
      state: "queued",
      claimed_until: null,
      due_at: new Date(now().getTime() + againIn),
      tries: wasAsked ? tries : tries - 1,
    })
    .where("workspace_id", "=", workspace_id)
    .where("created_at", "=", created_at)
    .where("batch_id", "=", batch_id)
    .where("n", "=", n)
    .where("state", "=", "running")
    .where("request_id", "=", request_id)
    .execute();
}

/** Requests that are ended in one statement. */
const mostAtOnce = 1_000;

/**
 * Ends queued requests of batches that were cancelled, or whose time is over.
 * @returns whether there may be more
 */
export async function endQueued({ store, now }: Clocked): Promise<boolean> {
  const at = now();
  const { rows } = await sql`
    with due as (
      select b.workspace_id, b.created_at, b.id, b.status = 'cancelling' as is_cancelled from batches b
      where b.ended_at is null and (
        b.status = 'cancelling' or (b.status in ('validating', 'in_progress') and b.expires_at <= ${at})
      ) and exists (
        select from batch_requests r where r.workspace_id = b.workspace_id and r.created_at = b.created_at
          and r.batch_id = b.id and r.state = 'queued'
      )
      limit 1 for update of b skip locked
    ), queued as (
      select each.* from due o cross join lateral (
        select r.workspace_id, r.created_at, r.batch_id, r.n from batch_requests r
        where r.workspace_id = o.workspace_id and r.created_at = o.created_at and r.batch_id = o.id
          and r.state = 'queued'
        order by r.due_at, r.n limit ${mostAtOnce} for update of r skip locked
      ) as each
    ), ended as (
      update batch_requests r set state = case when o.is_cancelled then 'cancelled' else 'expired' end
      from queued q, due o
      where r.workspace_id = q.workspace_id and r.created_at = q.created_at and r.batch_id = q.batch_id and r.n = q.n
      returning 1
    ), counted as (
      select count(*)::integer as more from ended
    )
    update batches b set
      cancelled = b.cancelled + case when o.is_cancelled then counted.more else 0 end,
      expired = b.expired + case when o.is_cancelled then 0 else counted.more end,
      status = case
        when b.completed + b.failed + b.cancelled + b.expired + counted.more < b.total then b.status
        when o.is_cancelled then 'cancelled' else 'expired'
      end,
      ended_at = case
        when b.completed + b.failed + b.cancelled + b.expired + counted.more < b.total then b.ended_at else ${at}
      end
    from due o, counted
    where b.workspace_id = o.workspace_id and b.created_at = o.created_at and b.id = o.id and counted.more > 0
    returning 1`.execute(store.db);
  return rows.length > 0;
}

/** A batch of which nothing can be read any more. */
export async function failBatch({ store, now }: Clocked, batch: BatchKey, why: string): Promise<void> {
  await store.db
    .updateTable("batches")
    .set({ status: "failed", error: why, ended_at: now() })
    .where(isBatch(batch))
    .where("ended_at", "is", null)
    .execute();
}

/**
 * Claims requests whose process has gone while it made them, with their batches.
 * @param inFlight ids of the requests that this process makes: while the store was away, their claims ran out as well
 */
export async function claimInterrupted(
  { store }: Store,
  most: number,
  inFlight: readonly string[],
): Promise<{ batch: BatchRow; request: ClaimedRequest }[]> {
  const { rows } = await sql<ClaimedRequest>`
    update batch_requests r set claimed_until = ${claimed} from (
      select workspace_id, created_at, batch_id, n from batch_requests
      where state = 'running' and claimed_until <= now() and request_id <> all(${inFlight}::text[]) order by claimed_until limit ${most} for update skip locked
    ) as gone
    where r.workspace_id = gone.workspace_id and r.created_at = gone.created_at and r.batch_id = gone.batch_id
      and r.n = gone.n
    returning r.*`.execute(store.db);
  const found = [];
  for (const request of rows) {
    const batch = await batchOf({ store }, request);
    if (batch !== null) found.push({ batch, request });
  }
  return found;
}

/** The call on the ledger that a request made; null: there is none. */
export async function callOfRequest(
  { store }: Store,
  requestId: string,
): Promise<{ id: string; status: number } | null> {
  const { rows } = await sql<{ id: string; status: number }>`
    select id, status from ledger where request_id = ${requestId} limit 1`.execute(store.db);
  return rows[0] ?? null;
}

/** Whether the ledger has a cost for what a request's call did. */
export async function hasCost({ store }: Store, requestId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ledger where request_id = ${requestId} and (cost > 0 or byok_cost > 0) limit 1`.execute(store.db);
  return rows.length > 0;
}

/**
 * Call it before the first claim: of the only process on a store, no other one makes a request or takes a batch.
 * @param since when this process began
 */
export async function releaseRequests({ store, now }: Clocked, since: Date): Promise<void> {
  if (store.engine === "postgres") return;
  await sql`update batch_requests set claimed_until = now() where state = 'running'`.execute(store.db);
  await sql`
    update batches set status = 'deleted', sealed = '', ended_at = ${now()}
    where ended_at is null and status = 'receiving' and created_at < ${since}`.execute(store.db);
}

/** When something is next due, as far as the clock alone decides; null: nothing is. */
export async function nextRequestDue({ store }: Store): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select least(min(b.expires_at), min(first.due_at)) as due
    from batches b left join lateral (
      select r.due_at from batch_requests r
      where r.workspace_id = b.workspace_id and r.created_at = b.created_at and r.batch_id = b.id and r.state = 'queued'
      order by r.due_at limit 1
    ) first on true
    where b.ended_at is null and b.status in ('validating', 'in_progress', 'cancelling')`.execute(store.db);
  return rows[0]?.due ?? null;
}
