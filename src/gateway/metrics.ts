import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { createCallMetrics, readAtScrape } from "./call-metrics.ts";
import type { LedgerEntry } from "./domain/ledger/entry.ts";
import type { Settlement } from "./domain/ledger/ledger.ts";
import type { StoreGauges } from "./domain/instance/store-gauges.ts";
import type { Slots } from "./slots.ts";

/** The Prometheus metrics. Labels are providers, statuses and reasons: never keys, workspaces or what callers send. */
export interface Metrics {
  settled(entry: LedgerEntry, settlement: Settlement): void;
  refused(reason: string): void;
  scrape(): Promise<{ contentType: string; text: string }>;
}

/** The present state, read at each scrape. */
export interface MetricsDeps {
  readonly storeGauges: () => Promise<StoreGauges>;
  readonly storeTroubled: () => boolean;
  /** requests that are being answered */
  readonly openRequests: () => number;
  /** model calls in flight, and those that wait for their turn */
  readonly calls: Pick<Slots, "inUse" | "waiting">;
  /** the circuits that hold calls back */
  readonly held: () => readonly { provider: string; model: string }[];
}

/** How many providers get labels of their own; each is a time series for as long as the process lives. */
const mostProviders = 200;
/** A scraper gives up after ten seconds. */
const storeMs = 2_000;

export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry();
  const providers = new Set<string>();
  let begun = false;

  function bounded(provider: string): string {
    if (provider === "") return "none";
    if (providers.has(provider)) return provider;
    if (providers.size >= mostProviders) return "other";
    providers.add(provider);
    return provider;
  }

  const { settled, refused, uncommitted } = createCallMetrics(registry, bounded);
  const gauge = (name: string, help: string, read: () => number) =>
    readAtScrape(registry, Gauge, { name, help }, () => [[{}, read()]]);
  gauge("commits_pending", "Calls that are charged and not in the store yet", uncommitted);
  const troubled = () => (deps.storeTroubled() ? 1 : 0);
  gauge("store_troubled", "1 while the store does not answer or takes no commits", troubled);
  gauge("requests_open", "Requests that are being answered", deps.openRequests);
  gauge("calls_in_flight", "Model calls in flight, streams until they end", deps.calls.inUse);
  gauge("calls_waiting", "Model calls that wait for their turn", deps.calls.waiting);
  const held = "Models of a provider whose calls are held back";
  readAtScrape(registry, Gauge, { name: "circuits_open", help: held, labelNames: ["provider"] }, () =>
    deps.held().map(({ provider }) => [{ provider: bounded(provider) }, 1]),
  );
  const readStore = createStoreMetrics(registry, deps.storeGauges);

  return {
    settled,
    refused,
    async scrape() {
      // The event loop is monitored from the first scrape on: without scrapes there is no cost.
      if (!begun) collectDefaultMetrics({ register: registry });
      begun = true;
      await readStore();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** @returns reads them; if the store does not answer, its previous values are not repeated */
function createStoreMetrics(registry: Registry, storeGauges: MetricsDeps["storeGauges"]): () => Promise<void> {
  const registers = [registry];
  const leases = new Gauge({ name: "gatehouse_leases", help: "Slices of limits that processes hold", registers });
  const leased = new Gauge({ name: "gatehouse_leased_usd", help: "Money in those slices, US dollars", registers });
  const over = new Gauge({
    name: "gatehouse_keys_over_limit",
    help: "Keys over their limit, by whether the limit is only watched",
    labelNames: ["watch_only"],
    registers,
  });
  const canaries = new Gauge({
    name: "gatehouse_canaries",
    help: "Drift canaries, by whether their vectors drifted; failing ones are among the others too",
    labelNames: ["state"],
    registers,
  });
  const ofDestination = (name: string, help: string) =>
    new Gauge({ name: `gatehouse_destination_${name}`, help, labelNames: ["destination"], registers });
  const lag = ofDestination("lag_seconds", "Age of the oldest call that is not delivered");
  const dead = ofDestination("dead_letters", "Calls that were given up");
  const failing = ofDestination("failing", "1 while the last try failed");
  return async () => {
    for (const metric of [leases, leased, over, canaries, lag, dead, failing]) metric.reset();
    const late = new Promise<null>((resolve) => setTimeout(resolve, storeMs, null).unref());
    const gauges = await Promise.race([storeGauges().catch(() => null), late]);
    if (gauges === null) return;
    leases.set(gauges.leases.count);
    leased.set(gauges.leases.usd);
    over.set({ watch_only: "false" }, gauges.keysOverLimit.enforced);
    over.set({ watch_only: "true" }, gauges.keysOverLimit.watchOnly);
    for (const [state, count] of Object.entries(gauges.canaries)) canaries.set({ state }, count);
    for (const { id: destination, lagSeconds, deadLetters, failing: fails } of gauges.destinations) {
      lag.set({ destination }, lagSeconds);
      dead.set({ destination }, deadLetters);
      failing.set({ destination }, fails ? 1 : 0);
    }
  };
}
