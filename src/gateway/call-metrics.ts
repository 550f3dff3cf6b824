import { type Aggregator, Counter, type Gauge, Histogram, type Registry } from "prom-client";
import { toUsd } from "#contract/money.ts";
import type { LedgerEntry } from "./domain/ledger/entry.ts";
import type { Settlement } from "./domain/ledger/ledger.ts";
import { isProviders } from "./relay/attempts.ts";

interface Totals {
  readonly labels: { api: string; provider: string; status: string };
  calls: number;
  promptTokens: number;
  completionTokens: number;
  spent: bigint;
}

const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/**
 * Counts calls and refusals.
 * @param bounded a provider's label
 */
export function createCallMetrics(registry: Registry, bounded: (provider: string) => string) {
  const totals = new Map<string, Totals>();
  const failures = new Map<string, { labels: { provider: string; status: string }; count: number }>();
  const refusals = new Map<string, number>();
  let uncommitted = 0;

  const ofCalls = (name: string, help: string, value: (total: Totals) => number) =>
    readAtScrape(registry, Counter, { name, help, labelNames: ["api", "provider", "status"] }, () =>
      [...totals.values()].map((total) => [total.labels, value(total)]),
    );
  ofCalls("calls_total", "Model calls on the ledger", ({ calls }) => calls);
  ofCalls("prompt_tokens_total", "Tokens of prompts and inputs", ({ promptTokens }) => promptTokens);
  ofCalls("completion_tokens_total", "Tokens of answers", ({ completionTokens }) => completionTokens);
  ofCalls("spend_usd_total", "What calls cost, US dollars", ({ spent }) => toUsd(spent));
  const failed = "Attempts at a provider that failed, by the status of its answer";
  const ofFailures = { name: "provider_failures_total", help: failed, labelNames: ["provider", "status"] };
  readAtScrape(registry, Counter, ofFailures, () => [...failures.values()].map(({ labels, count }) => [labels, count]));
  const ofRefusals = { name: "refusals_total", help: "Requests that were refused, by reason", labelNames: ["reason"] };
  readAtScrape(registry, Counter, ofRefusals, () => [...refusals].map(([reason, count]) => [{ reason }, count]));
  const duration = new Histogram({
    name: "gatehouse_call_duration_seconds",
    help: "From the start of a model call to its last byte",
    labelNames: ["api"],
    buckets: durations,
    registers: [registry],
  });
  const commit = new Histogram({
    name: "gatehouse_commit_duration_seconds",
    help: "From the end of a call to its row in the store",
    buckets: durations,
    registers: [registry],
  });

  function count({ apiType: api, provider, status, ...entry }: LedgerEntry, { own, byok }: Settlement): void {
    const labels = { api, provider: bounded(provider), status: String(status) };
    const name = `${api} ${labels.provider} ${status}`;
    const total = totals.get(name) ?? { labels, calls: 0, promptTokens: 0, completionTokens: 0, spent: 0n };
    totals.set(name, total);
    total.calls += 1;
    total.promptTokens += entry.promptTokens;
    total.completionTokens += entry.completionTokens;
    total.spent += own + byok;
    duration.observe({ api }, entry.durationMs / 1_000);
    for (const attempt of entry.attempts) if (isProviders(attempt.error)) countFailure(attempt);
  }

  function countFailure(attempt: LedgerEntry["attempts"][number]): void {
    const labels = { provider: bounded(attempt.provider), status: String(attempt.status ?? "none") };
    const name = `${labels.provider} ${labels.status}`;
    const known = failures.get(name) ?? { labels, count: 0 };
    known.count += 1;
    failures.set(name, known);
  }

  return {
    /** calls that are charged and not in the store yet */
    uncommitted: () => uncommitted,
    refused: (reason: string) => void refusals.set(reason, (refusals.get(reason) ?? 0) + 1),
    settled(entry: LedgerEntry, settlement: Settlement) {
      count(entry, settlement);
      uncommitted += 1;
      const started = performance.now();
      const committed = () => {
        uncommitted -= 1;
        commit.observe((performance.now() - started) / 1_000);
      };
      settlement.committed.then(committed, () => void (uncommitted -= 1));
    },
  };
}

interface MetricAtScrape {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** how the values of several processes become one; default: their sum */
  readonly aggregator?: Aggregator;
}

/**
 * Adds a metric whose values are read when it is scraped: to write a labeled metric costs more than everything else that
 * a call records.
 */
export function readAtScrape(
  registry: Registry,
  Metric: typeof Counter | typeof Gauge,
  { name, help, labelNames = [], ...more }: MetricAtScrape,
  read: () => readonly (readonly [labels: Record<string, string>, value: number])[],
): void {
  const metric = new Metric({
    name: `gatehouse_${name}`,
    help,
    labelNames,
    ...more,
    registers: [registry],
    collect() {
      metric.reset();
      for (const [labels, value] of read()) metric.inc(labels, value);
    },
  });
}
