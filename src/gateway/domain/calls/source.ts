import { type RawBuilder, sql } from "kysely";
import type { listGenerations } from "#contract/calls.ts";
import type { Parsed } from "#contract/endpoint.ts";
import { hourMs, minuteMs } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { invalid } from "../refusal.ts";

type Filters = Pick<
  Parsed<typeof listGenerations>["query"],
  | "since"
  | "until"
  | "api_key_hash"
  | "model"
  | "provider"
  | "status"
  | "reason"
  | "session_id"
  | "preset"
  | "batch_id"
  | "user"
  | "app"
>;
export type Condition = RawBuilder<unknown>;

/** Just before the call with this id at this instant, in the order of the list. */
export interface Position {
  at: Date;
  id: string;
}

/**
 * The rollup counts a call in the hour in which it ended. No call is assumed to last longer than this: a provider whose
 * time limit is an hour may take five for its whole answer, and others may be tried after it.
 */
export const longestCallMs = 24 * hourMs;

/** @throws Refusal where a range ends before it begins */
export function refuseUnlessInOrder({ since, until }: Pick<Filters, "since" | "until">): void {
  if (since !== undefined && until !== undefined && Date.parse(since) >= Date.parse(until)) {
    throw invalid("until", "must be later than since");
  }
}

export function notBefore(at: Date | null): Condition[] {
  return at === null ? [] : [sql`l.created_at >= ${at}`];
}

/** The filters besides the key: of them, an index serves a batch alone. */
export function filtersOf(filters: Filters): Condition[] {
  const { model, provider, status, reason, session_id, preset, batch_id, user, app } = filters;
  return [
    ...(model === undefined ? [] : [sql`l.model = ${model}`]),
    ...(provider === undefined ? [] : [sql`l.provider = ${provider}`]),
    ...(session_id === undefined ? [] : [sql`l.session_id = ${session_id}`]),
    ...(preset === undefined ? [] : [sql`l.preset = ${preset}`]),
    ...(batch_id === undefined ? [] : [sql`l.batch_id = ${batch_id}`]),
    ...(user === undefined ? [] : [sql`l.external_user = ${user}`]),
    ...(app === undefined ? [] : [sql`l.app_title = ${app}`]),
    ...(reason === undefined ? [] : [sql`l.error_type = ${reason}`]),
    ...(status === undefined ? [] : [statusFilter(status)]),
  ];
}

function statusFilter(status: string): Condition {
  if (status === "failed") return sql`l.status >= 400`;
  if (status === "succeeded") return sql`l.status < 400`;
  if (status === "refused") return sql`false`;
  return sql`l.status = ${Number(status)}`;
}

/** What was refused before a model was called is counted without its model, provider, session and so on. */
export const isRefusable = ({ model, provider, session_id, preset, batch_id, user, app }: Filters) =>
  [model, provider, session_id, preset, batch_id, user, app].every((filter) => filter === undefined);

/** The filters of refused calls, which are counted by the minute, but for their time. */
export function refusedFilters(workspaces: readonly string[], filters: Filters): Condition[] {
  const { api_key_hash: key, status, reason } = filters;
  return [
    sql`r.workspace_id = any(${workspaces}::uuid[])`,
    ...(key === undefined ? [] : [sql`r.key_hash = ${key}`]),
    ...(reason === undefined ? [] : [sql`r.reason = ${reason}`]),
    ...(status === undefined || status === "failed" || status === "refused"
      ? []
      : [status === "succeeded" ? sql`false` : sql`r.status = ${Number(status)}`]),
  ];
}

/** The minute that an instant is in. */
export const minuteOf = (at: Date) => new Date(Math.floor(at.getTime() / minuteMs) * minuteMs);

/** The sources of calls: each reads in list order from an index, and no further than is needed. */
export type Source = (conditions: Condition, columns: Condition, limit: number, offset: number) => Condition;

export const order = sql`order by l.created_at desc, l.id desc`;

export function byWorkspace(workspaces: readonly string[]): Source {
  return (conditions, columns, limit, offset) => sql`
    unnest(${workspaces}::uuid[]) as w (id)
    cross join lateral (
      select ${columns} from ledger l
      where l.workspace_id = w.id and ${conditions} ${order} limit ${limit} offset ${offset}
    ) as l`;
}

function byKey(workspaces: readonly string[], keyHash: string): Source {
  return (conditions, columns, limit, offset) => sql`
    (
      select ${columns} from ledger l
      where l.key_hash = ${keyHash} and l.workspace_id = any(${workspaces}::uuid[]) and ${conditions}
      ${order} limit ${limit} offset ${offset}
    ) as l`;
}

function byBatch(workspaces: readonly string[], batchId: string): Source {
  return (conditions, columns, limit, offset) => sql`
    (
      select ${columns} from ledger l
      where l.batch_id = ${batchId} and l.workspace_id = any(${workspaces}::uuid[]) and ${conditions}
      ${order} limit ${limit} offset ${offset}
    ) as l`;
}

export const isBefore = ({ at, id }: Position) =>
  sql`l.created_at <= ${at} and (l.created_at, l.id) < (${at}::timestamptz, ${id}::text)`;

/** The narrowest source that has all calls of the filters. */
export function sourceOf(
  workspaces: readonly string[],
  { api_key_hash: key, batch_id: batch }: Pick<Filters, "api_key_hash" | "batch_id">,
): Source {
  if (batch !== undefined) return byBatch(workspaces, batch);
  return key === undefined ? byWorkspace(workspaces) : byKey(workspaces, key);
}

const shortestScan = 500;

/** How many calls of each workspace a scan of `most` calls looks through. */
export const scanOf = (most: number, workspaces: number) =>
  Math.max(shortestScan, Math.floor(most / Math.max(1, workspaces)));

/** How far one scan goes back: to the last of a bounded number of calls per workspace; null: to the range's first. */
export async function endOfScan(
  ctx: Context,
  source: Source,
  { before, since, scan }: { before: Position; since: Date | null; scan: number },
): Promise<Date | null> {
  const range = sql.join([isBefore(before), ...notBefore(since)], sql` and `);
  const { rows } = await sql<{ at: Date | null }>`
    select max(l.created_at) as at from ${source(range, sql`l.created_at`, 1, scan)}`.execute(ctx.store.db);
  return rows[0]?.at ?? null;
}
