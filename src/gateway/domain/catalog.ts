import { presets } from "#contract/provider-presets.ts";
import type { ModelType, ProviderKind, ProviderPreset } from "#contract/providers.ts";
import type { ByokKeysTable, ProviderModelsTable, ProvidersTable } from "../storage/provider-tables.ts";
import type { Selectable } from "kysely";
import type { Deps } from "./context.ts";
import { type Prices, readPrices } from "./price.ts";

/** A provider as calls need it: the row, its key in plain text. Never sent anywhere but to the provider. */
export interface CatalogProvider {
  readonly slug: string;
  readonly name: string;
  readonly kind: ProviderKind;
  readonly preset: ProviderPreset;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** the stored key cannot be decrypted: it was altered, or sealed with a key that is not known here */
  readonly unreadable: boolean;
  readonly options: { readonly api_version?: string | undefined };
  readonly dataCollection: "allow" | "deny";
  readonly zdr: boolean;
  readonly position: number;
  readonly row: Selectable<ProvidersTable>;
}

export interface CatalogModel {
  readonly id: string;
  readonly upstreamId: string;
  readonly type: ModelType;
  readonly name: string;
  readonly contextLength: number | null;
  readonly dimensions: number | null;
  /** null: not stated; the vendor decides about lengths up to `dimensions` */
  readonly dimensionsRange: { readonly minimum: number; readonly maximum: number } | null;
  readonly maxBatch: number | null;
  readonly maxCompletionTokens: number | null;
  readonly inputModalities: readonly string[];
  /** null: unpriced */
  readonly prices: Prices | null;
  readonly quantization: string;
  readonly supportedParameters: readonly string[] | null;
  /** its texts may be used to train other models; null: not stated */
  readonly distillable: boolean | null;
  readonly row: Selectable<ProviderModelsTable>;
}

/** A model as one provider has it. */
export interface Offer {
  readonly provider: CatalogProvider;
  readonly model: CatalogModel;
}

/** A workspace's own key at a provider. `settings` is the provider with that key in place of the shared one. */
export interface ByokKey {
  readonly id: string;
  readonly settings: CatalogProvider;
  readonly isFallback: boolean;
  readonly sortOrder: number;
  readonly allowedModels: readonly string[] | null;
  readonly allowedUserIds: readonly string[] | null;
  readonly allowedKeyHashes: readonly string[] | null;
}

/** Everything that may serve calls, as it was at one moment. Disabled providers, models and keys are not in it. */
export interface Catalog {
  /** enabled providers by position */
  readonly providers: readonly CatalogProvider[];
  /** model id → who offers it, by position */
  readonly offers: ReadonlyMap<string, readonly Offer[]>;
  /** `workspace id/provider slug` → keys by sort order */
  readonly byok: ReadonlyMap<string, readonly ByokKey[]>;
}

/** The catalog that this process serves from. One in each process. */
export interface CatalogCache {
  /** what is known now, without waiting; refreshed behind the caller's back when it is old */
  current(deps: Deps): Catalog;
  /** reads the store anew; `current` has it when this resolves */
  reload(deps: Deps): Promise<void>;
  /** call after a committed change: reloads here and tells the others */
  changed(deps: Deps): Promise<void>;
  /** reads it for the first time and hears of changes from then on */
  start(deps: Deps): Promise<void>;
}

const empty: Catalog = { providers: [], offers: new Map(), byok: new Map() };
const channel = "gatehouse_catalog";
/** How long a change that was never heard of can last. */
const freshMs = 5_000;

export function createCatalogCache(): CatalogCache {
  let catalog = empty;
  let readAt = 0;
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;

  let begun = 0;
  let shown = 0;

  async function read(deps: Deps): Promise<void> {
    begun += 1;
    const turn = begun;
    const next = await readCatalog(deps);
    // Of two reads that overlap, the one that began later may end first.
    if (turn < shown) return;
    shown = turn;
    catalog = next;
    readAt = deps.now().getTime();
  }

  function start(deps: Deps): Promise<void> {
    running = read(deps).finally(() => {
      running = null;
    });
    return running;
  }

  /** A change during a read may have been missed by it: whoever comes meanwhile waits for one more. */
  function reload(deps: Deps): Promise<void> {
    if (running === null) return start(deps);
    queued ??= running
      .catch(() => {})
      .then(() => {
        queued = null;
        return start(deps);
      });
    return queued;
  }

  return {
    current(deps) {
      const now = deps.now().getTime();
      if (deps.store.engine === "postgres" && Math.abs(now - readAt) >= freshMs && running === null) {
        readAt = now;
        // With the store away the last known catalog goes on serving.
        reload(deps).catch(() => {});
      }
      return catalog;
    },
    reload,
    async changed(deps) {
      await reload(deps);
      await deps.store.notices.send(channel, "");
    },
    async start(deps) {
      deps.store.notices.listen(channel, () => void reload(deps).catch(() => {}));
      await reload(deps);
    },
  };
}

async function readCatalog(deps: Deps): Promise<Catalog> {
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
  const offers = providers.flatMap((provider) =>
    (modelsOf.get(provider.slug) ?? []).map((row): Offer => ({ provider, model: toModel(provider, row) })),
  );
  const bySlug = new Map(providers.map((provider) => [provider.slug, provider]));
  return {
    providers,
    offers: Map.groupBy(offers, (offer) => offer.model.id),
    byok: toByok(deps, keys, bySlug),
  };
}

export function providerPlace(slug: string): string {
  return `provider:${slug}`;
}

export function byokPlace(id: string): string {
  return `byok:${id}`;
}

/** A provider's row with its key opened; `unreadable` when that fails. */
export function readProvider(deps: Pick<Deps, "secrets">, row: Selectable<ProvidersTable>): CatalogProvider {
  const secret = open(deps, row.secret, providerPlace(row.slug));
  return {
    slug: row.slug,
    name: row.name,
    kind: row.kind as ProviderKind,
    preset: row.preset as ProviderPreset,
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

function toModel({ preset }: CatalogProvider, row: Selectable<ProviderModelsTable>): CatalogModel {
  const { dimensions_minimum: minimum, dimensions_maximum: maximum } = row;
  return {
    id: row.id,
    upstreamId: row.upstream_id,
    type: row.type as ModelType,
    name: row.name,
    contextLength: row.context_length,
    dimensions: row.dimensions,
    dimensionsRange: minimum === null || maximum === null ? null : { minimum, maximum },
    maxBatch: row.max_batch ?? presets[preset].maxBatch ?? null,
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
    if (!provider) continue;
    const { text, unreadable } = open(deps, row.secret, byokPlace(row.id));
    const place = `${row.workspace_id}/${row.provider}`;
    byok.set(place, [
      ...(byok.get(place) ?? []),
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

/** One row that cannot be opened must not take the others down. */
function open(
  deps: Pick<Deps, "secrets">,
  sealed: string | null,
  place: string,
): { text: string | null; unreadable: boolean } {
  if (sealed === null) return { text: null, unreadable: false };
  try {
    return { text: deps.secrets.open(sealed, place), unreadable: false };
  } catch {
    return { text: null, unreadable: true };
  }
}
