import { sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { type listFederationSubjects, mostFederationSubjects } from "#contract/federation.ts";
import type { Context, Deps } from "../context.ts";
import { countOf } from "../count-of.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { storedText } from "../stored-text.ts";
import { findPolicy } from "./row.ts";

const longest = 255;
/** Stored in one statement. */
const mostAtOnce = 500;

/** Access tokens of one workload that are to be counted. */
interface Counted {
  readonly policyId: string;
  readonly subject: string;
  readonly count: number;
}

/** Counts access tokens by workload. One per process. */
export interface SubjectCounts {
  /** resolves when it is stored; those that come while others are stored go together next */
  add(deps: Deps, policyId: string, sub: string): Promise<void>;
}

export function createSubjectCounts(): SubjectCounts {
  let waiting = new Map<string, Counted>();
  let next: Promise<void> | null = null;
  let previous: Promise<unknown> = Promise.resolve();

  async function storeWaiting(deps: Deps): Promise<void> {
    await previous;
    const counted = [...waiting.values()];
    waiting = new Map();
    next = null;
    for (let at = 0; at < counted.length; at += mostAtOnce) await storeCounts(deps, counted.slice(at, at + mostAtOnce));
  }

  return {
    add(deps, policyId, sub) {
      const subject = storedText(sub, longest);
      const key = `${policyId} ${subject}`;
      waiting.set(key, { policyId, subject, count: (waiting.get(key)?.count ?? 0) + 1 });
      if (next === null) {
        next = storeWaiting(deps);
        previous = next.catch(() => {});
      }
      return next;
    },
  };
}

/** Of many workloads, those that came last are kept. A policy that is deleted at the same time counts nothing. */
async function storeCounts({ store, now }: Deps, counted: readonly Counted[]): Promise<void> {
  const at = now();
  const policyIds = counted.map(({ policyId }) => policyId);
  const { rows } = await sql<{ policy_id: string; is_first: boolean }>`
    with known as materialized (
      select id from federation_policies where id = any(${policyIds}::uuid[]) order by id for key share
    )
    insert into federation_subjects as s (policy_id, subject, first_at, last_at, count)
    select n.policy_id, n.subject, ${at}::timestamptz, ${at}::timestamptz, n.count
    from unnest(
      ${policyIds}::uuid[],
      ${counted.map(({ subject }) => subject)}::text[],
      ${counted.map(({ count }) => count)}::bigint[]
    ) as n (policy_id, subject, count)
    join known on known.id = n.policy_id
    order by n.policy_id, n.subject
    on conflict (policy_id, subject) do update
      set last_at = greatest(s.last_at, excluded.last_at), count = s.count + excluded.count
    returning policy_id, xmax = 0 as is_first`.execute(store.db);
  const grown = new Set(rows.flatMap(({ policy_id, is_first }) => (is_first ? policy_id : [])));
  for (const policyId of grown) {
    await sql`
      delete from federation_subjects where policy_id = ${policyId} and subject in (
        select subject from federation_subjects where policy_id = ${policyId}
        order by last_at desc, subject offset ${mostFederationSubjects}
      )`.execute(store.db);
  }
}

type List = typeof listFederationSubjects;

/** Who was given an access token, the last one first. @throws Refusal 404 */
export async function list(ctx: Context, policyId: string, page: Parsed<List>["query"]): Promise<Output<List>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  await findPolicy(db, policyId);
  const found = db.selectFrom("federation_subjects").where("policy_id", "=", policyId);
  const total = await countOf(found);
  const rows = await found
    .selectAll()
    .orderBy("last_at", "desc")
    .orderBy("subject")
    .limit(page.limit ?? 50)
    .offset(page.offset ?? 0)
    .execute();
  return {
    data: rows.map(({ subject, first_at, last_at, count }) => ({
      subject,
      first_at: first_at.toISOString(),
      last_at: last_at.toISOString(),
      count: Number(count),
    })),
    total_count: total,
  };
}
