import type { BurstLog } from "./domain/burst-log.ts";
import type { CircuitChange } from "./domain/routing/health.ts";
import type { LedgerEntry } from "./domain/ledger/entry.ts";
import { isProviders } from "./relay/attempts.ts";

/** Logs what goes wrong with providers. */
export interface Incidents {
  /** logs the attempts of a failed call */
  settled(entry: Pick<LedgerEntry, "attempts" | "requestId" | "id">): void;
  circuit(change: CircuitChange): void;
}

/** A provider's own message stays on the ledger: it may repeat what was sent. */
export function createIncidents(bursts: BurstLog): Incidents {
  return {
    settled({ attempts, requestId, id }) {
      for (const { provider, model, status, latency_ms, error } of attempts) {
        if (!isProviders(error)) continue;
        const details = { reqId: requestId, generation: id, provider, model, status, latency_ms };
        bursts.tell("warn", `provider ${provider}`, "a provider failed a call", details);
      }
    },
    circuit({ provider, model, state, reason, retryAt }) {
      const details = { provider, model, reason, retry_at: retryAt?.toISOString() ?? null };
      const level = state === "opened" ? "warn" : "info";
      bursts.tell(level, `circuit ${state} ${provider} ${model}`, `a provider's circuit is ${words[state]}`, details);
    },
  };
}

const words = {
  opened: "open: its calls are held back",
  "half-open": "half-open: one call finds out",
  closed: "closed",
};
