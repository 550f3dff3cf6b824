import type { ProviderHealth } from "#contract/providers.ts";
import { type Circuit, admission, begin, closed, observe, type Outcome } from "./circuit.ts";
import { HealthWindow } from "./health-window.ts";
import { requestFaults } from "../ledger/provider-fault.ts";
import type { CandidateHealth } from "./routing.ts";

/** Why a call failed, as far as health is concerned. */
export interface CallFailure {
  readonly reason: string;
  readonly message: string;
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
}

/** A finished call to a provider. */
export interface CallEnd {
  /** null: it succeeded */
  readonly failure: CallFailure | null;
  /** to the first byte; null when nothing came */
  readonly latencyMs: number | null;
  readonly tokensPerSecond: number | null;
  /** made with a workspace's own key, whose refusal says nothing about the shared one */
  readonly byok: boolean;
}

/** A provider's circuit for a model changed its state. */
export interface CircuitChange {
  readonly provider: string;
  readonly model: string;
  readonly state: "opened" | "half-open" | "closed";
  /** why it opened */
  readonly reason: string | null;
  readonly retryAt: Date | null;
}

export type SeenHealth = Omit<ProviderHealth, "ledger" | "recent">;

/** What this process has observed of its providers. In memory only: a new process learns it within a few calls. */
export interface HealthBoard {
  /** the listener is called with every change of a circuit */
  watch(listener: (change: CircuitChange) => void): void;
  /** the circuits that hold calls back, by provider and model; without those that were sent nothing for minutes */
  held(now: Date): { provider: string; model: string }[];
  of(provider: string, model: string, now: Date): CandidateHealth;
  /** call when a request goes out … */
  begin(provider: string, model: string, now: Date): void;
  /** … and when it ended, however it ended */
  end(provider: string, model: string, end: CallEnd, now: Date): void;
  /** this process's observations of a provider, over all its models */
  provider(slug: string, now: Date): SeenHealth;
  /** percentage of calls that succeeded in the last `lastMs`; null when there were none */
  uptime(provider: string, model: string, lastMs: number, now: Date): number | null;
}

interface Entry {
  circuit: Circuit;
  readonly window: HealthWindow;
  lastFailure: (CallFailure & { at: Date }) | null;
}

const halfHourMs = 1_800_000;
const slowSeconds = 10;
/** An open circuit that no call has tried for this long is outdated: its provider may be gone. */
const staleMs = 120_000;

export function createHealthBoard(): HealthBoard {
  const entries = new Map<string, Map<string, Entry>>();
  let told: (change: CircuitChange) => void = () => {};

  function find(provider: string, model: string): Entry {
    const models = entries.get(provider) ?? new Map<string, Entry>();
    entries.set(provider, models);
    const entry = models.get(model) ?? { circuit: closed, window: new HealthWindow(), lastFailure: null };
    models.set(model, entry);
    return entry;
  }

  return {
    watch: (listener) => void (told = listener),
    held: (now) =>
      [...entries].flatMap(([provider, models]) =>
        [...models].filter(([, { circuit }]) => isHeld(circuit, now)).map(([model]) => ({ provider, model })),
      ),
    of: (provider, model, now) => candidateHealth(find(provider, model), now),
    begin(provider, model, now) {
      const entry = find(provider, model);
      const before = entry.circuit;
      entry.circuit = begin(before, now);
      if (entry.circuit !== before)
        told({ provider, model, state: "half-open", reason: null, retryAt: before.retryAt });
    },
    end(provider, model, end, now) {
      const entry = find(provider, model);
      const outcome = outcomeOf(end);
      const before = entry.circuit;
      entry.circuit = observe(before, outcome, now);
      const { retryAt } = entry.circuit;
      if (retryAt !== null && entry.circuit.openings > before.openings) {
        told({ provider, model, state: "opened", reason: end.failure?.reason ?? null, retryAt });
      } else if (retryAt === null && before.retryAt !== null) {
        told({ provider, model, state: "closed", reason: null, retryAt: null });
      }
      if (outcome.type === "neutral") return;
      if (end.failure) entry.lastFailure = { ...end.failure, at: now };
      entry.window.add({
        at: now,
        failure: end.failure?.reason ?? null,
        overloaded: end.failure?.reason === "overloaded" || end.failure?.reason === "rate_limited",
        latencyMs: end.failure ? null : end.latencyMs,
        tokensPerSecond: end.tokensPerSecond,
      });
    },
    provider: (slug, now) => providerHealth([...(entries.get(slug)?.values() ?? [])], now),
    uptime(provider, model, lastMs, now) {
      const { calls, failures } = find(provider, model).window.counts(now, lastMs);
      return calls === 0 ? null : (100 * (calls - failures)) / calls;
    },
  };
}

/** Open, and lately tried: nothing is held back from a provider that nobody calls. */
function isHeld({ retryAt }: Circuit, now: Date): boolean {
  return retryAt !== null && now.getTime() - retryAt.getTime() < staleMs;
}

function outcomeOf({ failure, byok }: CallEnd): Outcome {
  if (failure === null) return { type: "success" };
  if (
    requestFaults.has(failure.reason) ||
    (byok && (failure.reason === "credentials" || failure.reason === "payment"))
  ) {
    return { type: "neutral" };
  }
  return { type: "failure", retryAfterSeconds: failure.retryAfterSeconds };
}

/** Percentiles are computed only when a preference asks for them. */
function candidateHealth({ circuit, window }: Entry, now: Date): CandidateHealth {
  return {
    state: admission(circuit, now),
    get errorRate() {
      const { calls, failures } = window.counts(now, halfHourMs);
      return calls < 5 ? null : failures / calls;
    },
    get latency() {
      return window.latency(now);
    },
    get throughput() {
      return window.throughput(now);
    },
  };
}

function providerHealth(entries: readonly Entry[], now: Date): SeenHealth {
  const counts = entries.map(({ window }) => window.counts(now, halfHourMs));
  const sum = (member: "calls" | "failures" | "overloads") => counts.reduce((total, count) => total + count[member], 0);
  const calls = sum("calls");
  const last = entries
    .flatMap(({ lastFailure }) => lastFailure ?? [])
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
  const held = entries.filter(({ circuit }) => isHeld(circuit, now));
  const latencies = entries.flatMap(({ window }) => window.latencies(now)).toSorted((a, b) => a - b);
  const p50 = rank(latencies, 0.5);
  return {
    status: status(entries, { calls, isHeld: held.length > 0, p50, lastReason: last?.reason }),
    calls_last_30m: calls,
    error_rate_last_30m: calls === 0 ? null : sum("failures") / calls,
    overload_rate_last_30m: calls === 0 ? null : sum("overloads") / calls,
    latency_p50_ms: toMs(p50),
    latency_p95_ms: toMs(rank(latencies, 0.95)),
    retry_at: earliest(held),
    last_failure: last
      ? { at: last.at.toISOString(), reason: last.reason, message: last.message, status: last.status }
      : null,
  };
}

interface Seen {
  readonly calls: number;
  /** a circuit is open */
  readonly isHeld: boolean;
  readonly p50: number | null;
  readonly lastReason: string | undefined;
}

function status(entries: readonly Entry[], { calls, isHeld, p50, lastReason }: Seen): ProviderHealth["status"] {
  if (entries.some(({ circuit }) => circuit.failures > 0) && lastReason === "credentials") return "credentials";
  if (isHeld) return lastReason === "overloaded" || lastReason === "rate_limited" ? "overloaded" : "down";
  if (calls === 0) return "idle";
  return p50 !== null && p50 > slowSeconds ? "slow" : "up";
}

function rank(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function toMs(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000);
}

function earliest(held: readonly Entry[]): string | null {
  const times = held.flatMap(({ circuit }) => circuit.retryAt?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}
