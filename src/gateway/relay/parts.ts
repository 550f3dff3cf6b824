import type { Dispatcher } from "undici";
import type { Deps } from "../domain/context.ts";
import type { AddressRule } from "../domain/network-guard.ts";
import type { Ledger } from "../domain/ledger.ts";
import type { Rates } from "../domain/rates.ts";
import type { LocalModel } from "../providers/local/model-pool.ts";
import type { Calibration } from "./calibration.ts";
import type { EmbeddingCache } from "./embedding-cache.ts";

/** What the relay is made of. */
export interface RelayParts {
  readonly deps: Deps;
  readonly ledger: Ledger;
  /** the guarded way out to vendors */
  readonly dispatcher: Dispatcher;
  /** the way out to addresses that callers set: images that a vendor takes inline only */
  readonly callerDispatcher: Dispatcher;
  /** why an IP address that a caller sets may not be reached; null when it may */
  readonly callerAddress: AddressRule;
  /** null where no GATEHOUSE_LOCAL_MODEL is set */
  readonly localModel: LocalModel | null;
  readonly rates: Rates;
  readonly cache: EmbeddingCache;
  readonly calibration: Calibration;
  /** from 0 up to 1, as of Math.random */
  readonly random: () => number;
  readonly settings: RelaySettings;
}

export interface RelaySettings {
  /** until a vendor's first byte, and between two pieces of its answer, milliseconds */
  readonly upstreamTimeoutMs: number;
  /** keys with a limit are refused at models without a price */
  readonly refuseUnpriced: boolean;
  /** for keys that have no limit of their own; null: none */
  readonly requestsPerMinute: number | null;
}
