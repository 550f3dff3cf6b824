import { randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import type { Dispatcher } from "undici";
import { basePath as apiPath } from "#contract/api.ts";
import type { Config } from "../config.ts";
import type { Deps } from "../domain/context.ts";
import type { LedgerEntry } from "../domain/ledger/entry.ts";
import { createLedger, type Ledger, type Settlement } from "../domain/ledger/ledger.ts";
import { createLeasedBalances } from "../domain/ledger/balance-leased.ts";
import { addressRule } from "../domain/instance/network-guard.ts";
import { createLocalBalances } from "../domain/ledger/balance-local.ts";
import { createRates, type FellowRates } from "../domain/ledger/rates.ts";
import { alwaysReachable, watchReachability } from "../domain/instance/store-health.ts";
import { createDispatcher } from "../providers/dispatcher.ts";
import type { RelayDeps } from "../relay/deps.ts";
import { createCalibration } from "../relay/embeddings/calibration.ts";
import { createDurableCache } from "../relay/embeddings/durable-cache.ts";
import { createPacer } from "../relay/embeddings/pacer.ts";
import { mbBytes } from "../domain/workspaces/stored-vectors.ts";
import { createEmbeddingCache } from "../relay/embeddings/cache.ts";
import { createResponseCache } from "../relay/response-cache/response-cache.ts";
import { createKeptItems } from "../relay/responses/kept-items.ts";
import type { Relay } from "../relay/model-call.ts";
import { createProviderSlots } from "../relay/provider-slots.ts";
import { createRelay } from "../relay/relay.ts";

export type RelayConfig = Pick<
  Config,
  | "upstreamTimeout"
  | "unpriced"
  | "embeddingCache"
  | "responseCache"
  | "rateLimit"
  | "privateNetworks"
  | "providerCalls"
  | "publicUrl"
  | "basePath"
>;

/** Is called with every charged call. */
export type Settled = (entry: LedgerEntry, settlement: Settlement) => void;

/** What the relay reports to the process. */
export interface RelayEvents {
  /** after each commit */
  readonly committed: () => void;
  readonly settled: Settled;
  /** messages for an operator about limits that several processes share */
  readonly warn: (message: string, details: object) => void;
  /** the other workers of the same start */
  readonly fellows?: FellowRates | undefined;
  /** how long a call waits for a cache that is in the store before it asks the provider */
  readonly storeReadMs?: number | undefined;
  /** how long a call waits where no provider of its model has room */
  readonly turnMs?: number | undefined;
}

/** Assembles the relay: the ledger for the kind of store, and the dispatcher for vendors. */
export function openRelay(
  deps: Deps,
  dispatcher: Dispatcher,
  config: RelayConfig,
  {
    localModel,
    semanticModel,
    committed,
    settled,
    warn,
    fellows,
    storeReadMs = 500,
    turnMs = 1_000,
  }: RelayEvents & Pick<RelayDeps, "localModel" | "semanticModel">,
): Relay {
  const callerAddress = addressRule(config.privateNetworks, "caller");
  const callerDispatcher = createDispatcher({ refuse: callerAddress, connections: 32 });
  const relay = createRelay({
    domain: deps,
    ledger: observed(openLedger(deps, { committed, warn }), settled),
    dispatcher,
    providerSlots: createProviderSlots(config.providerCalls || Number.POSITIVE_INFINITY, turnMs),
    rates: createRates(deps.store.notices, deps.now, randomUUID(), { warn, ...(fellows && { fellows }) }),
    callerDispatcher,
    callerAddress,
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    localModel,
    semanticModel,
    cache: createEmbeddingCache(config.embeddingCache * 1_048_576),
    durableCache: createDurableCache(deps, storeReadMs),
    responseCache: createResponseCache(deps, config.responseCache * mbBytes, storeReadMs),
    keptItems: createKeptItems(deps, storeReadMs),
    calibration: createCalibration(),
    pacer: createPacer(),
    random: Math.random,
    warn,
    settings: {
      upstreamTimeoutMs: config.upstreamTimeout * 1_000,
      refuseUnpriced: config.unpriced === "refuse",
      requestsPerMinute: config.rateLimit,
      publicApiUrl: config.publicUrl === null ? null : `${config.publicUrl.origin}${config.basePath}${apiPath}`,
    },
  });
  return {
    ...relay,
    async close() {
      await relay.close();
      await callerDispatcher.destroy();
    },
  };
}

function observed(ledger: Ledger, settled: Settled): Ledger {
  return {
    ...ledger,
    async settleKept(kept, entry, close) {
      const charged = await ledger.settleKept(kept, entry, close);
      if (charged !== null) settled(entry, { ...charged, committed: Promise.resolve() });
      return charged;
    },
    settle(reservation, entry) {
      const settlement = ledger.settle(reservation, entry);
      settled(entry, settlement);
      return settlement;
    },
  };
}

/** On the embedded store this process is the only one; on a shared store it is one of several. */
function openLedger(
  { store, storeHealth, now, bodies }: Deps,
  { committed, warn }: Pick<RelayEvents, "committed" | "warn">,
): Ledger {
  const { processId } = store;
  const shared = store.engine === "postgres";
  const reachability = shared ? watchReachability(store) : alwaysReachable;
  const balances = shared
    ? createLeasedBalances(store, now, { processId, steadyMs: reachability.steadyMs, presence: true, warn })
    : createLocalBalances(store, now);
  const ledger = createLedger({
    store,
    now,
    balances,
    processId,
    reachable: reachability.reachable,
    committed,
    pack: bodies.pack,
  });
  storeHealth.watch(ledger.troubled);
  return {
    ...ledger,
    async close() {
      reachability.close();
      await ledger.close();
    },
  };
}
