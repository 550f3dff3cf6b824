import { type Kysely, sql } from "kysely";

/** The origin that a workspace's own vendor key was given for: it is sent nowhere else. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table byok_keys add column origin text`.execute(db);
  const { rows } = await sql<{ slug: string; base_url: string | null }>`select slug, base_url from providers`.execute(
    db,
  );
  for (const { slug, base_url } of rows) {
    const origin = base_url === null ? null : (URL.parse(base_url)?.origin ?? null);
    await sql`update byok_keys set origin = ${origin} where provider = ${slug}`.execute(db);
  }
}
