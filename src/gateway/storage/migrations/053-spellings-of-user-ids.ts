import { type Kysely, sql } from "kysely";

const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const keyOf = (id: string) => id.replace(hidden, "").normalize("NFKC").trim().toUpperCase().toLowerCase();
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * One spelling of each person's id: that by which a guardrail was assigned, else that of the oldest key. Keys of the other
 * spellings get it, so that guardrails and budgets reach them. Of several guardrails the last one stays. What keys of the
 * other spellings have spent stays where it was counted.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table user_ids (key text primary key, id text not null)`.execute(db);
  const { rows } = await sql<{ id: string }>`
    select id from (
      select user_id as id, 1 as place, -extract(epoch from created_at) as since from guardrail_members
      union all select creator_user_id, 2, min(extract(epoch from created_at)) from api_keys
        where creator_user_id is not null group by creator_user_id
      union all select distinct unnest(allowed_user_ids), 3, 0 from byok_keys where allowed_user_ids is not null
    ) as used order by place, since, id`.execute(db);
  const spelled = new Map<string, string>();
  for (const { id } of rows) {
    const key = keyOf(id);
    if (!spelled.has(key)) spelled.set(key, uuid.test(key) ? key : id);
  }
  await sql`
    insert into user_ids (key, id)
    select * from unnest(${[...spelled.keys()]}::text[], ${[...spelled.values()]}::text[])`.execute(db);
  const others = new Map(rows.map(({ id }) => [id, spelled.get(keyOf(id)) ?? id]));
  for (const [other, id] of others) {
    if (other === id) continue;
    await sql`update api_keys set creator_user_id = ${id} where creator_user_id = ${other}`.execute(db);
    await sql`
      delete from guardrail_members where user_id in (${other}, ${id}) and id <> (
        select id from guardrail_members where user_id in (${other}, ${id}) order by created_at desc, id limit 1
      )`.execute(db);
    await sql`
      update guardrail_members set user_id = ${id},
        spend_id = left(encode(sha256(convert_to('member ' || ${id}, 'UTF8')), 'hex'), 32)::uuid
      where user_id = ${other}`.execute(db);
    await sql`
      update byok_keys set allowed_user_ids = array(
        select distinct case when each = ${other} then ${id} else each end from unnest(allowed_user_ids) as each)
      where ${other} = any(allowed_user_ids)`.execute(db);
  }
}
