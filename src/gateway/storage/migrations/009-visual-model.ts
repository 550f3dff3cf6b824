import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>, now: Date): Promise<void> {
  await sql`
    insert into provider_models (provider_slug, id, upstream_id, type, name, description, context_length, dimensions,
      dimensions_minimum, dimensions_maximum, max_batch, input_modalities, pricing, quantization, supported_parameters,
      position, created_at)
    select 'gatehouse', 'gatehouse/lexical-visual', 'lexical-visual', 'embedding', 'Lexical and visual',
      'Built in, needs no network. Wording as in Lexical, joined with the colours and edges of pictures: nearby vectors mean similar wording or similar looks, not similar meaning. A text finds a picture only by naming its colour.',
      32768, 512, 512, 512, 256, '{text,image}', '{"prompt": "0"}', 'fp32', '{dimensions,encoding_format}', 1, ${now}::timestamptz
    where exists (select from providers where slug = 'gatehouse')
    on conflict do nothing`.execute(db);
}
