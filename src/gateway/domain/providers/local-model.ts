import { sql } from "kysely";
import type { Deps } from "../context.ts";

/** The catalog's name for the model that runs in processes of this program, whichever model that is. */
export const localUpstreamId = "local";

/** `local/` and the last part of its name: `Xenova/all-MiniLM-L6-v2` is `local/all-minilm-l6-v2`. */
export function localModelId(model: string): string {
  const name =
    model
      .replace(/[\\/]+$/, "")
      .split(/[\\/]/)
      .at(-1) ?? "";
  return `local/${name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, "-") || "model"}`;
}

/** Offers the local model like any other. An admin's changes stay; what the model's files state is taken from them. */
export async function offerLocalModel(
  deps: Deps,
  model: string,
  facts: { readonly dimensions: number; readonly contextLength: number },
): Promise<void> {
  const { dimensions, contextLength } = facts;
  await sql`
    insert into provider_models (provider_slug, id, upstream_id, type, name, description, context_length, dimensions,
      dimensions_minimum, dimensions_maximum, max_batch, pricing, quantization, supported_parameters, position, created_at)
    values ('gatehouse', ${localModelId(model)}, ${localUpstreamId}, 'embedding', ${model.slice(-100)},
      'Runs in processes of this gateway (GATEHOUSE_LOCAL_MODEL); nothing leaves the machine.',
      ${contextLength}, ${dimensions}, ${dimensions}, ${dimensions}, 2048, '{"prompt": "0"}', 'fp32',
      '{dimensions,encoding_format,input_type}', 2, ${deps.now()})
    on conflict (provider_slug, id) do update set context_length = excluded.context_length,
      dimensions = excluded.dimensions, dimensions_minimum = excluded.dimensions_minimum,
      dimensions_maximum = excluded.dimensions_maximum`.execute(deps.store.db);
  await deps.catalog.changed(deps);
}

/** Removes local models that no setting names any more. */
export async function withdrawLocalModels({ store }: Pick<Deps, "store">, kept: string | null): Promise<void> {
  await store.db
    .deleteFrom("provider_models")
    .where("provider_slug", "=", "gatehouse")
    .where("upstream_id", "=", localUpstreamId)
    .where("id", "!=", kept === null ? "" : localModelId(kept))
    .execute();
}
