import type { Dispatcher } from "undici";
import type { CatalogProvider } from "../domain/routing/catalog.ts";
import type { Deps, AddressRule } from "../domain/context.ts";
import type { Ledger } from "../domain/ledger/ledger.ts";
import type { Rates } from "../domain/ledger/rates.ts";
import type { Refusal } from "../domain/refusal.ts";
import type { LocalModel } from "../providers/local/model-pool.ts";
import type { SemanticModel } from "../providers/local/semantic/semantic-model.ts";
import type { Calibration } from "./embeddings/calibration.ts";
import type { DurableCache } from "./embeddings/durable-cache.ts";
import type { Pacer } from "./embeddings/pacer.ts";
import type { EmbeddingCache } from "./embeddings/cache.ts";
import type { ProviderSlots } from "./provider-slots.ts";
import type { ResponseCache } from "./response-cache/response-cache.ts";
import type { KeptItems } from "./responses/kept-items.ts";

/** The relay's dependencies. */
export interface RelayDeps {
  readonly domain: Deps;
  readonly ledger: Ledger;
  /** the guarded dispatcher for vendors */
  readonly dispatcher: Dispatcher;
  /** the dispatcher for addresses that callers set: images for vendors that only accept them inline */
  readonly callerDispatcher: Dispatcher;
  /** why an IP address that a caller sets may not be reached; null when it may */
  readonly callerAddress: AddressRule;
  /** the addresses that a host name resolves to */
  readonly resolve: (host: string) => Promise<string[]>;
  /** null where GATEHOUSE_LOCAL_MODEL is not set */
  readonly localModel: LocalModel | null;
  /** null where its package is not installed */
  readonly semanticModel: SemanticModel | null;
  readonly rates: Rates;
  readonly providerSlots: ProviderSlots;
  readonly cache: EmbeddingCache;
  readonly durableCache: DurableCache;
  readonly responseCache: ResponseCache;
  readonly keptItems: KeptItems;
  readonly calibration: Calibration;
  readonly pacer: Pacer;
  /** from 0 up to 1, as of Math.random */
  readonly random: () => number;
  /** the refusal for calls that were cut off by a stop of the process; null before that */
  readonly interrupted: () => Refusal | null;
  /** makes the relay wait, before it closes, for work that continues after its caller has left */
  readonly untilSettled: (work: Promise<unknown>) => void;
  /** tells an operator of what is wrong */
  readonly warn: (message: string, details: object) => void;
  readonly settings: RelaySettings;
}

export interface RelaySettings {
  /** for a vendor's first byte, and between two pieces of its answer, milliseconds */
  readonly upstreamTimeoutMs: number;
  /** keys with a limit are refused models without a price */
  readonly refuseUnpriced: boolean;
  /** for keys without a limit of their own; null: none */
  readonly requestsPerMinute: number | null;
  /** the API's address from outside; null: only callers know it */
  readonly publicApiUrl: string | null;
}

/** How long to wait for a provider: until its first byte, and between two pieces of its answer, milliseconds. */
export function timeoutOf({ settings }: RelayDeps, { options }: CatalogProvider): number {
  return options.timeout_seconds === undefined ? settings.upstreamTimeoutMs : options.timeout_seconds * 1_000;
}
