import { type Kysely, sql } from "kysely";

/** From when on the vectors of a provider's model are those of the weights that it has now, as its canary found. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table vectors_since (
      provider text not null references providers (slug) on delete cascade,
      model text not null,
      since timestamptz not null,
      primary key (provider, model)
    )`.execute(db);
}
