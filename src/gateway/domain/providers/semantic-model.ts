import { sql } from "kysely";
import type { Deps } from "../context.ts";

export const semanticModelId = "gatehouse/semantic-en";
/** The catalog's name for the semantic model that runs in a process of this program. */
export const semanticUpstreamId = "semantic-en";

/** Offers the built-in semantic model where its package is installed; an admin's changes stay. Otherwise withdraws it. */
export async function offerSemanticModel(
  { store, now }: Pick<Deps, "store" | "now">,
  installed: boolean,
): Promise<void> {
  if (!installed) {
    await store.db
      .deleteFrom("provider_models")
      .where("provider_slug", "=", "gatehouse")
      .where("upstream_id", "=", semanticUpstreamId)
      .execute();
    return;
  }
  await sql`
    insert into provider_models (provider_slug, id, upstream_id, type, name, description, context_length, dimensions,
      dimensions_minimum, dimensions_maximum, max_batch, pricing, quantization, supported_parameters, position, created_at)
    select 'gatehouse', ${semanticModelId}, ${semanticUpstreamId}, 'embedding', 'Semantic (English)',
      'Built in, needs no network: runs on this machine, free. Universal Sentence Encoder Lite: nearby vectors mean similar meaning. English texts only; a text in another language gets a vector that says little.',
      128, 512, 512, 512, 2048, '{"prompt": "0"}', 'fp32', '{dimensions,encoding_format}', 2, ${now()}::timestamptz
    where exists (select from providers where slug = 'gatehouse')
    on conflict do nothing`.execute(store.db);
}
