import type { Selectable } from "kysely";
import { maxBatchTokensOf, presets } from "#contract/provider-presets.ts";
import type { ProviderKind } from "#contract/providers.ts";
import type { ByokKeysTable, ProviderModelsTable, ProvidersTable } from "../../storage/provider-tables.ts";
import type { ByokKey, Catalog, CatalogModel, CatalogProvider, Offer } from "./catalog.ts";
import type { Deps } from "../context.ts";
import { readPrices } from "../ledger/price.ts";
import { originOf } from "./provider-address.ts";
import { byokAad, providerAad } from "../secrets/aad.ts";

/** Everything enabled that is in the store now, secrets decrypted. */
export async function readCatalog(deps: Deps): Promise<Catalog> {
  const { db } = deps.store;
  const rows = await db
    .selectFrom("providers")
    .selectAll()
    .where("enabled", "=", true)
    .orderBy("position")
    .orderBy("slug")
    .execute();
  const models = await db
    .selectFrom("provider_models")
    .selectAll()
    .where("enabled", "=", true)
    .orderBy("position")
    .orderBy("id")
    .execute();
  const changed = await db.selectFrom("vectors_since").selectAll().execute();
  const keys = await db
    .selectFrom("byok_keys")
    .selectAll()
    .where("deleted_at", "is", null)
    .where("disabled", "=", false)
    .orderBy("sort_order")
    .orderBy("id")
    .execute();
  const providers = rows.map((row) => readProvider(deps, row));
  const modelsOf = Map.groupBy(models, (model) => model.provider_slug);
  const since = new Map(changed.map((row) => [`${row.provider}/${row.model}`, row.since]));
  const offers = providers.flatMap((provider) =>
    (modelsOf.get(provider.slug) ?? []).map((row): Offer => ({
      provider,
      model: toModel(provider, row, since.get(`${row.provider_slug}/${row.id}`) ?? null),
    })),
  );
  const bySlug = new Map(providers.map((provider) => [provider.slug, provider]));
  return {
    providers,
    offers: Map.groupBy(offers, (offer) => offer.model.id),
    byok: toByok(deps, keys, bySlug),
  };
}

/** A provider's row with its key decrypted; `unreadable` when that fails. */
export function readProvider(deps: Pick<Deps, "secrets">, row: Selectable<ProvidersTable>): CatalogProvider {
  const secret = openSecret(deps, row.secret, providerAad(row.slug));
  return {
    slug: row.slug,
    name: row.name,
    kind: row.kind as ProviderKind,
    preset: row.preset,
    baseUrl: row.base_url,
    apiKey: secret.text,
    unreadable: secret.unreadable,
    options: row.options,
    dataCollection: row.data_collection === "deny" ? "deny" : "allow",
    zdr: row.zdr,
    position: row.position,
    row,
  };
}

function toModel(
  { preset }: CatalogProvider,
  row: Selectable<ProviderModelsTable>,
  vectorsSince: Date | null,
): CatalogModel {
  const { dimensions_minimum: minimum, dimensions_maximum: maximum } = row;
  return {
    id: row.id,
    upstreamId: row.upstream_id,
    type: row.type,
    name: row.name,
    contextLength: row.context_length,
    dimensions: row.dimensions,
    dimensionsRange: minimum === null || maximum === null ? null : { minimum, maximum },
    maxBatch: row.max_batch ?? presets[preset].maxBatch ?? null,
    maxBatchTokens: maxBatchTokensOf(preset, row.upstream_id),
    inputType: row.input_type,
    queryPrefix: row.query_prefix,
    documentPrefix: row.document_prefix,
    revision: row.revision,
    vectorsSince,
    maxCompletionTokens: row.max_completion_tokens,
    inputModalities: row.input_modalities,
    prices: readPrices(row.pricing),
    quantization: row.quantization ?? "unknown",
    supportedParameters: row.supported_parameters,
    distillable: row.distillable,
    row,
  };
}

function toByok(
  deps: Deps,
  rows: readonly Selectable<ByokKeysTable>[],
  providers: ReadonlyMap<string, CatalogProvider>,
) {
  const byok = new Map<string, ByokKey[]>();
  for (const row of rows) {
    const provider = providers.get(row.provider);
    // A key is sent only to the address that it was entered for, wherever its provider has moved.
    if (!provider || row.origin === null || row.origin !== originOf(provider.baseUrl)) continue;
    const { text, unreadable } = openSecret(deps, row.secret, byokAad(row.id));
    const owner = `${row.workspace_id}/${row.provider}`;
    byok.set(owner, [
      ...(byok.get(owner) ?? []),
      {
        id: row.id,
        settings: { ...provider, apiKey: text, unreadable },
        isFallback: row.is_fallback,
        sortOrder: row.sort_order,
        allowedModels: row.allowed_models,
        allowedUserIds: row.allowed_user_ids,
        allowedKeyHashes: row.allowed_api_key_hashes,
      },
    ]);
  }
  return byok;
}

/** One row that cannot be decrypted must not take the others down. */
export function openSecret(
  deps: Pick<Deps, "secrets">,
  sealed: string | null,
  aad: string,
): { text: string | null; unreadable: boolean } {
  if (sealed === null) return { text: null, unreadable: false };
  try {
    return { text: deps.secrets.open(sealed, aad), unreadable: false };
  } catch {
    return { text: null, unreadable: true };
  }
}
