import type { ModelType } from "#contract/model-type.ts";
import type { ProviderKind, ProviderOptions, ProviderPreset } from "#contract/providers.ts";
import type { ProviderModelsTable, ProvidersTable } from "../../storage/provider-tables.ts";
import type { Selectable } from "kysely";
import type { Deps } from "../context.ts";
import { readCatalog } from "./catalog-read.ts";
import type { Prices } from "../ledger/price.ts";

/** A provider as calls need it: the row, its key in plain text, which is only ever sent to the provider. */
export interface CatalogProvider {
  readonly slug: string;
  readonly name: string;
  readonly kind: ProviderKind;
  readonly preset: ProviderPreset;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** the stored key cannot be decrypted: it was altered, or sealed with an unknown key */
  readonly unreadable: boolean;
  readonly options: ProviderOptions;
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
  /** of all inputs of one request; null: the vendor states none */
  readonly maxBatchTokens: number | null;
  /** where a caller gives none; null: the vendor decides */
  readonly inputType: string | null;
  /** what is put before a text of such a type; null: nothing, and the vendor is told the type */
  readonly queryPrefix: string | null;
  readonly documentPrefix: string | null;
  /** of the weights, where an admin says so */
  readonly revision: string | null;
  readonly maxCompletionTokens: number | null;
  readonly inputModalities: readonly string[];
  /** null: unpriced */
  readonly prices: Prices | null;
  readonly quantization: string;
  readonly supportedParameters: readonly string[] | null;
  /** its output may be used to train other models; null: not stated */
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

/** Everything that may serve calls, at one moment. Disabled providers, models and keys are not in it. */
export interface Catalog {
  /** enabled providers by position */
  readonly providers: readonly CatalogProvider[];
  /** model id → its offers, by the provider's position */
  readonly offers: ReadonlyMap<string, readonly Offer[]>;
  /** `workspace id/provider slug` → keys by sort order */
  readonly byok: ReadonlyMap<string, readonly ByokKey[]>;
}

/** The catalog that this process serves from. One per process. */
export interface CatalogCache {
  /** the last known catalog, without waiting; refreshed in the background when it is old */
  current(deps: Deps): Catalog;
  /** reads the store again; `current` has the result when this resolves */
  reload(deps: Deps): Promise<void>;
  /** call after a committed change: reloads here and tells the others */
  changed(deps: Deps): Promise<void>;
  /** reads it for the first time, and listens for changes from then on */
  start(deps: Deps): Promise<void>;
}

const empty: Catalog = { providers: [], offers: new Map(), byok: new Map() };
const channel = "gatehouse_catalog";
/** How long a missed change can go unnoticed. */
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
    // Of two overlapping reads, the one that began later may end first.
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

  /** A read in progress may miss a change: callers that arrive meanwhile wait for one more read. */
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
        // While the store is unavailable, the last known catalog keeps serving.
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
