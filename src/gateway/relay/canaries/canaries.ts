import type { Log } from "../../domain/burst-log.ts";
import type { Deps } from "../../domain/context.ts";
import { systemContext } from "../../domain/instance/management-key-row.ts";
import {
  claimDue,
  type ClaimedCanary,
  keepClaim,
  nextDue,
  recordRun,
  releaseClaim,
  watchCanaries,
} from "../../domain/providers/canary-runs.ts";
import type { Relay } from "../model-call.ts";
import { failedRun, runCanary } from "./run-canary.ts";
import { errorName } from "../../error-name.ts";

/** The drift canaries of this process: one runs at a time, and each in one process only. */
export interface Canaries {
  /** resolves when no run is under way; begins none from now on */
  close(): Promise<void>;
}

/** A change that was not heard of is noticed this late. */
const longestMs = 60_000;
const shortestMs = 1_000;
const keepMs = 20_000;

export function startCanaries(
  deps: Deps,
  relay: Pick<Relay, "embeddings">,
  { random, log }: { readonly random: () => number; readonly log: Log },
): Canaries {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let again = false;

  function wake(): void {
    again = true;
    if (running !== null || stopping.signal.aborted) return;
    if (timer !== null) clearTimeout(timer);
    running = round().finally(() => {
      running = null;
      if (again) wake();
    });
  }

  async function round(): Promise<void> {
    again = false;
    let waitMs = longestMs;
    try {
      for (let due = await claimDue(deps); due !== null; due = await claimDue(deps)) {
        await runClaimed(due);
        if (stopping.signal.aborted) return;
      }
      const next = await nextDue(deps);
      if (next !== null) waitMs = Math.min(Math.max(next.getTime() - deps.now().getTime(), shortestMs), longestMs);
    } catch (error) {
      if (!stopping.signal.aborted) log("warn", "drift canaries could not run", { reason: errorName(error) });
    }
    if (stopping.signal.aborted) return;
    timer = setTimeout(wake, waitMs);
    timer.unref();
  }

  async function runClaimed(canary: ClaimedCanary): Promise<void> {
    // A vendor may take longer to answer than a claim lasts.
    const keeping = setInterval(() => void keepClaim(deps, canary).catch(() => {}), keepMs);
    keeping.unref();
    try {
      const finding = await runCanary({ ctx: systemContext(deps), relay, stopping: stopping.signal }, canary);
      if (stopping.signal.aborted && finding.run.outcome === "failed") await releaseClaim(deps, canary);
      else await recordRun(deps, canary, finding, random());
      const { outcome } = finding.run;
      if (outcome === "drift" && canary.drift_since === null)
        log("warn", "an embedding model drifted", { ...endpointOf(canary), ...finding.run });
    } catch (error) {
      if (stopping.signal.aborted) return await releaseClaim(deps, canary);
      log("error", "a drift canary failed unexpectedly", { ...endpointOf(canary), reason: errorName(error) });
      await recordRun(deps, canary, failedRun("The gateway itself failed: its log says more", null), random());
    } finally {
      clearInterval(keeping);
    }
  }

  watchCanaries(deps, wake);
  wake();
  return {
    async close() {
      stopping.abort();
      again = false;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

function endpointOf({ provider, model }: ClaimedCanary) {
  return { provider, model };
}
