import { randomUUID } from "node:crypto";
import type { Dispatcher } from "undici";
import type { Config } from "./config.ts";
import type { Deps } from "./domain/context.ts";
import { createLedger, type Ledger } from "./domain/ledger.ts";
import { createLeasedPurses } from "./domain/purses-leased.ts";
import { addressRule } from "./domain/network-guard.ts";
import { createOwnedPurses } from "./domain/purses-owned.ts";
import { createRates } from "./domain/rates.ts";
import { alwaysReachable, watchStore } from "./domain/store-watch.ts";
import { createDispatcher } from "./providers/dispatcher.ts";
import type { LocalModel } from "./providers/local/model-pool.ts";
import { createCalibration } from "./relay/calibration.ts";
import { createEmbeddingCache } from "./relay/embedding-cache.ts";
import type { Relay } from "./relay/model-call.ts";
import { createRelay } from "./relay/relay.ts";

export type RelayConfig = Pick<
  Config,
  "upstreamTimeout" | "unpriced" | "embeddingCache" | "rateLimit" | "privateNetworks"
>;

/** Puts the relay together: the ledger for the kind of store, and the way out to vendors. */
export function openRelay(
  deps: Deps,
  dispatcher: Dispatcher,
  config: RelayConfig,
  localModel: LocalModel | null,
  committed: () => void,
): Relay {
  const callerAddress = addressRule(config.privateNetworks, "caller");
  const callerDispatcher = createDispatcher({ refuse: callerAddress, connections: 32 });
  const relay = createRelay({
    deps,
    ledger: openLedger(deps, committed),
    dispatcher,
    rates: createRates(deps.store.notices, deps.now, randomUUID()),
    callerDispatcher,
    callerAddress,
    localModel,
    cache: createEmbeddingCache(config.embeddingCache * 1_048_576),
    calibration: createCalibration(),
    random: Math.random,
    settings: {
      upstreamTimeoutMs: config.upstreamTimeout * 1_000,
      refuseUnpriced: config.unpriced === "refuse",
      requestsPerMinute: config.rateLimit,
    },
  });
  return {
    ...relay,
    async close() {
      await relay.close();
      await callerDispatcher.close();
    },
  };
}

/**
 * In the embedded store this process is the only one; in a shared store it is one of several.
 * @param committed told after each commit
 */
export function openLedger({ store, now, bodies }: Deps, committed: () => void = () => {}): Ledger {
  const processId = randomUUID();
  const shared = store.engine === "postgres";
  const watch = shared ? watchStore(store) : alwaysReachable;
  const purses = shared ? createLeasedPurses(store, now, processId, watch.steadyMs) : createOwnedPurses(store, now);
  const ledger = createLedger({
    store,
    now,
    purses,
    processId,
    reachable: watch.reachable,
    committed,
    pack: bodies.pack,
  });
  return {
    ...ledger,
    async close() {
      watch.close();
      await ledger.close();
    },
  };
}
