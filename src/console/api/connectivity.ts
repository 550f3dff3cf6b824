import { getHealth } from "#contract/health.ts";
import { apiPath } from "./base.ts";
import { now } from "./clock.ts";
import { createStore, useStore } from "./store.ts";

export type Reachability =
  | { reachable: true }
  /** `lastAnswerAt` and `nextProbeAt` are milliseconds since the epoch, by the console's clock */
  | { reachable: false; lastAnswerAt: number; nextProbeAt: number };

/** Two failures in a row, because one may be a single dropped connection. */
const failuresToTell = 2;
const probeEveryMs = 5_000;
const confirmAfterMs = 1_000;

/**
 * Whether the gateway answers. Not `navigator.onLine`: a laptop without internet still reaches a gateway on its own
 * machine or network.
 */
export const reachability = createStore<Reachability>({ reachable: true });

let failures = 0;
let lastAnswerAt = now().getTime();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Any answer counts, even a refusal. */
export function noteAnswer(): void {
  failures = 0;
  lastAnswerAt = now().getTime();
  clearTimeout(timer);
  timer = undefined;
  if (!reachability.get().reachable) reachability.set({ reachable: true });
}

export function noteNoAnswer(): void {
  failures += 1;
  if (timer !== undefined) return;
  if (failures >= failuresToTell) scheduleProbe();
  // a page that asks for nothing else would not notice the second one
  else timer = setTimeout(() => void probe(), confirmAfterMs);
}

/** Asks the gateway at once whether it is there. */
export async function probe(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  try {
    const response = await fetch(apiPath(getHealth.path), {
      cache: "no-store",
      signal: AbortSignal.timeout(probeEveryMs),
    });
    // a proxy in front of a gateway that is down answers 502 to 504
    if (response.ok) return noteAnswer();
  } catch {
    // no answer: probe again below
  }
  scheduleProbe();
}

function scheduleProbe(): void {
  reachability.set({ reachable: false, lastAnswerAt, nextProbeAt: now().getTime() + probeEveryMs });
  timer = setTimeout(() => void probe(), probeEveryMs);
}

/** For everything that writes: `reason` is what a disabled control says. */
export function useReachable(): { reachable: boolean; reason: string | undefined } {
  const { reachable } = useStore(reachability);
  return {
    reachable,
    reason: reachable ? undefined : "The gateway cannot be reached. Changes are disabled until it answers.",
  };
}
