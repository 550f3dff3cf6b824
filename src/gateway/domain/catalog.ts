import type { ModelType, ProviderKind, ProviderPreset } from "#contract/providers.ts";
import type { ProviderModelsTable, ProvidersTable } from "../storage/provider-tables.ts";
import type { Selectable } from "kysely";
import type { Deps } from "./context.ts";
import { readCatalog } from "./catalog-read.ts";
import type { Prices } from "./price.ts";

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
