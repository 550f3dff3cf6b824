import { type Kysely, sql } from "kysely";

/** What all keys of one creator spend together is counted, for the budgets of guardrails that are assigned to members. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table ledger add column member_spend_id uuid`.execute(db);
  await sql`alter table guardrail_members add column spend_id uuid`.execute(db);
  await sql`
    update guardrail_members
    set spend_id = left(encode(sha256(convert_to('member ' || user_id, 'UTF8')), 'hex'), 32)::uuid`.execute(db);
  await sql`alter table guardrail_members alter column spend_id set not null`.execute(db);
  await sql`create unique index guardrail_members_spend on guardrail_members (spend_id)`.execute(db);
}
