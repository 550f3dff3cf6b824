import { sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { type listFederationSubjects, mostFederationSubjects } from "#contract/federation.ts";
import type { Context, Deps } from "../context.ts";
import { countOf } from "../count-of.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { storedText } from "../stored-text.ts";
import { findPolicy } from "./row.ts";

const longest = 255;

/** Counts an access token for a workload. Of many workloads, those that came last are kept. */
export async function noteSubject({ store, now }: Deps, policyId: string, sub: string): Promise<void> {
  const at = now();
  const { rows } = await sql<{ is_first: boolean }>`
    insert into federation_subjects as s (policy_id, subject, first_at, last_at, count)
    select id, ${storedText(sub, longest)}, ${at}::timestamptz, ${at}::timestamptz, 1 from federation_policies where id = ${policyId}
    on conflict (policy_id, subject) do update set last_at = excluded.last_at, count = s.count + 1
    returning count = 1 as is_first`.execute(store.db);
  if (rows[0]?.is_first !== true) return;
  await sql`
    delete from federation_subjects where policy_id = ${policyId} and subject in (
      select subject from federation_subjects where policy_id = ${policyId}
      order by last_at desc, subject offset ${mostFederationSubjects}
    )`.execute(store.db);
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
