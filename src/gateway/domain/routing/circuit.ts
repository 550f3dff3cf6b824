/**
 * A circuit breaker as a value (Nygard, "Release It!"): closed while calls succeed, open after repeated failures,
 * half-open once its time is up, when one call is let through as a probe.
 */
export interface Circuit {
  /** failures in a row */
  readonly failures: number;
  /** times it opened since the last success; each doubles how long it stays open */
  readonly openings: number;
  /** null: closed */
  readonly retryAt: Date | null;
  /** since when a probe has been in progress */
  readonly probingSince: Date | null;
}

export const closed: Circuit = { failures: 0, openings: 0, retryAt: null, probingSince: null };

/** The outcome of an observed call. `neutral`: the request was at fault, which says nothing about the provider. */
export type Outcome =
  | { readonly type: "success" }
  | { readonly type: "neutral" }
  | { readonly type: "failure"; readonly retryAfterSeconds: number | null };

const failuresToOpen = 3;
const firstOpenMs = 5_000;
const longestOpenMs = 60_000;
/** A probe that never returns (its process died, its caller left) must not hold the circuit forever. */
const probeMs = 60_000;

export type Admission = "up" | "probe" | "down";

export function admission(circuit: Circuit, now: Date): Admission {
  if (circuit.retryAt === null) return "up";
  if (waits(circuit.retryAt, now)) return "down";
  return isProbing(circuit, now) ? "down" : "probe";
}

/** A time that lies further ahead than any circuit stays open is of a clock that was set back since. */
function waits(retryAt: Date, now: Date): boolean {
  const left = retryAt.getTime() - now.getTime();
  return left > 0 && left <= 2 * longestOpenMs;
}

function isProbing({ probingSince }: Circuit, now: Date): boolean {
  return probingSince !== null && Math.abs(now.getTime() - probingSince.getTime()) < probeMs;
}

/** A call begins: the first one after `retryAt` is the probe. */
export function begin(circuit: Circuit, now: Date): Circuit {
  return admission(circuit, now) === "probe" ? { ...circuit, probingSince: now } : circuit;
}

/** A call ended. */
export function observe(circuit: Circuit, outcome: Outcome, now: Date): Circuit {
  if (outcome.type === "success") return closed;
  if (outcome.type === "neutral") return { ...circuit, probingSince: null };
  const failures = circuit.failures + 1;
  const saidWhen = outcome.retryAfterSeconds !== null;
  const { retryAt } = circuit;
  const wasOpen = retryAt !== null;
  if (!saidWhen && !wasOpen && failures < failuresToOpen) return { ...circuit, failures, probingSince: null };
  // A call that was already in flight when it opened changes nothing.
  if (wasOpen && circuit.probingSince === null && waits(retryAt, now)) return { ...circuit, failures };
  const backoff = Math.min(firstOpenMs * 2 ** circuit.openings, longestOpenMs);
  const wait =
    outcome.retryAfterSeconds === null ? backoff : Math.min(outcome.retryAfterSeconds * 1_000, longestOpenMs);
  return { failures, openings: circuit.openings + 1, retryAt: new Date(now.getTime() + wait), probingSince: null };
}
