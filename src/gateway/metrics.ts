import { type Aggregator, AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { createCallMetrics, readAtScrape } from "./call-metrics.ts";
import type { LedgerEntry } from "./domain/ledger/entry.ts";
import type { Settlement } from "./domain/ledger/ledger.ts";
import type { StoreGauges } from "./domain/instance/store-gauges.ts";
import type { Slots } from "./slots.ts";

/** The Prometheus metrics. Labels are providers, statuses and reasons: never keys, workspaces or what callers send. */
export interface Metrics {
  settled(entry: LedgerEntry, settlement: Settlement): void;
  refused(reason: string): void;
  scrape(): Promise<Scraped>;
  /** what a scrape writes, of this process alone */
  values(): Promise<Values>;
}

/** An answer to a scraper. */
export interface Scraped {
  readonly contentType: string;
  readonly text: string;
}

export type Values = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The metrics of several processes as one. @param workers how many of them there are */
export async function addUp(each: readonly Values[], workers: number): Promise<Scraped> {
  const registry = AggregatorRegistry.aggregate([...each]);
  const help = "Worker processes whose figures are in these metrics";
  new Gauge({ name: "gatehouse_workers", help, registers: [registry] }).set(workers);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** What processes have counted, without their present state: what stays when they have ended. */
export async function counted(each: readonly Values[]): Promise<Values> {
  const counters = each.flat().filter(({ type }) => countingTypes.has(String(type)));
  return await AggregatorRegistry.aggregate([counters]).getMetricsAsJSON();
}

const countingTypes: ReadonlySet<string> = new Set(["counter", "histogram"]);

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
  const gauge = (name: string, help: string, read: () => number, aggregator?: Aggregator) =>
    readAtScrape(registry, Gauge, { name, help, ...(aggregator && { aggregator }) }, () => [[{}, read()]]);
  gauge("commits_pending", "Calls that are charged and not in the store yet", uncommitted);
  const troubled = () => (deps.storeTroubled() ? 1 : 0);
  gauge("store_troubled", "1 while the store does not answer or takes no commits", troubled, "max");
  gauge("requests_open", "Requests that are being answered", deps.openRequests);
  gauge("calls_in_flight", "Model calls in flight, streams until they end", deps.calls.inUse);
  gauge("calls_waiting", "Model calls that wait for their turn", deps.calls.waiting);
  const held = "Models of a provider whose calls are held back";
  readAtScrape(
    registry,
    Gauge,
    { name: "circuits_open", help: held, labelNames: ["provider"], aggregator: "max" },
    () => deps.held().map(({ provider }) => [{ provider: bounded(provider) }, 1]),
  );
  const readStore = createStoreMetrics(registry, deps.storeGauges);

  async function read() {
    // The event loop is monitored from the first scrape on: without scrapes there is no cost.
    if (!begun) collectDefaultMetrics({ register: registry });
    begun = true;
    await readStore();
  }

  return {
    settled,
    refused,
    async scrape() {
      await read();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    async values() {
      await read();
      return await registry.getMetricsAsJSON();
    },
  };
}

/** @returns reads them; if the store does not answer, its previous values are not repeated */
function createStoreMetrics(registry: Registry, storeGauges: MetricsDeps["storeGauges"]): () => Promise<void> {
  // Every process reads the same.
  const shared = { registers: [registry], aggregator: "max" as const };
  const leases = new Gauge({ name: "gatehouse_leases", help: "Slices of limits that processes hold", ...shared });
  const leased = new Gauge({ name: "gatehouse_leased_usd", help: "Money in those slices, US dollars", ...shared });
  const over = new Gauge({
    name: "gatehouse_keys_over_limit",
    help: "Keys over their limit, by whether the limit is only watched",
    labelNames: ["watch_only"],
    ...shared,
  });
  const canaries = new Gauge({
    name: "gatehouse_canaries",
    help: "Drift canaries, by whether their vectors drifted; failing ones are among the others too",
    labelNames: ["state"],
    ...shared,
  });
  const ofDestination = (name: string, help: string) =>
    new Gauge({ name: `gatehouse_destination_${name}`, help, labelNames: ["destination"], ...shared });
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
