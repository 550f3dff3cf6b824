import { baselineCalls, type CanaryRun, type DriftReason } from "#contract/canaries.ts";
import type { Context } from "../../domain/context.ts";
import { purposeCredential } from "../../domain/keys/purpose-key.ts";
import type { Trace } from "../../domain/ledger/trace.ts";
import type { ClaimedCanary, Finding } from "../../domain/providers/canary-runs.ts";
import {
  baselineOf,
  type DriftState,
  measure,
  type Measured,
  nextState,
  packVectors,
  setupOf,
  thresholdOf,
  unpackVectors,
} from "../../domain/providers/canary-verdict.ts";
import { Refusal } from "../../domain/refusal.ts";
import { newRequestId } from "../../domain/request-id.ts";
import { createMemoryBudget, roomIn } from "../../memory-budget.ts";
import type { JudgedVectors, ModelCall, Relay } from "../model-call.ts";
import { texts } from "./texts.ts";

export interface CanaryDeps {
  readonly ctx: Context;
  readonly relay: Pick<Relay, "embeddings">;
  /** aborted when the process stops: no further call is made */
  readonly stopping: AbortSignal;
}

/** For the answers to all canaries' calls, which run one at a time. */
const answers = createMemoryBudget(64 * 1_048_576);

/**
 * Embeds the texts and compares them with the baseline; measures one where there is none, or where the endpoint was set
 * up otherwise since. A failed call is a finding of its own.
 * @throws what is no Refusal
 */
export async function runCanary(deps: CanaryDeps, canary: ClaimedCanary): Promise<Finding> {
  try {
    const known = canary.measure ? null : storedBaseline(canary);
    const state = { drifted: canary.drift_since !== null, suspected: canary.suspected };
    let compared: Compared | null = null;
    const first = await embed(deps, canary, (answer) => {
      if (known === null || setupOf(answer.space) !== setupOf(known.space)) return baselineTrace(answer);
      const measured = measure(answer, known);
      compared = { measured, before: state, after: nextState(state, measured.reason !== null) };
      return comparedTrace(answer, compared);
    });
    return compared === null ? await measureBaseline(deps, canary, first) : found(deps, canary, first, compared);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return failedRun(error.message, error.details.headers?.["x-generation-id"] ?? null);
  }
}

interface Compared {
  readonly measured: Measured;
  readonly before: DriftState;
  readonly after: DriftState;
}

function storedBaseline({ baseline, baseline_space: space, noise }: ClaimedCanary) {
  if (baseline === null || space === null || noise === null) return null;
  return { vectors: unpackVectors(baseline, texts.length), noise, space };
}

async function measureBaseline(deps: CanaryDeps, canary: ClaimedCanary, first: JudgedVectors): Promise<Finding> {
  const calls = [first];
  while (calls.length < baselineCalls) calls.push(await embed(deps, canary, baselineTrace));
  const { id, space } = first;
  const other = calls.find((call) => call.space !== space);
  if (other !== undefined)
    return failedRun(`Its answers to the same texts are of two vector spaces: ${space}, ${other.space}`, id);
  const { vectors, noise } = baselineOf(calls.map((call) => call.vectors));
  return {
    run: {
      outcome: "baseline",
      reason: null,
      distance: noise,
      threshold: thresholdOf(noise),
      space,
      message: null,
      generation_id: id,
    },
    changes: {
      baseline: packVectors(vectors),
      baseline_space: space,
      baseline_at: deps.ctx.now(),
      noise,
      measure: false,
      suspected: false,
      ...noDrift,
    },
  };
}

const noDrift = { drift_since: null, drift_reason: null, drift_distance: null, drift_space: null };

function found(deps: CanaryDeps, canary: ClaimedCanary, { id, space }: JudgedVectors, compared: Compared): Finding {
  const { measured, after } = compared;
  const { distance, threshold, reason } = measured;
  const drift = after.drifted &&
    reason !== null && { drift_reason: reason, drift_distance: distance, drift_space: space };
  return {
    run: { outcome: outcomeOf(compared), reason, distance, threshold, space, message: null, generation_id: id },
    changes: {
      suspected: after.suspected,
      ...(after.drifted ? { drift_since: canary.drift_since ?? deps.ctx.now() } : noDrift),
      ...drift,
    },
  };
}

function outcomeOf({ measured, after }: Compared): CanaryRun["outcome"] {
  if (measured.reason === null) return "steady";
  return after.drifted ? "drift" : "suspected";
}

/** A run without vectors: it says nothing about drift. */
export function failedRun(message: string, id: string | null): Finding {
  const nothing = { reason: null, distance: null, threshold: null, space: null };
  return { run: { outcome: "failed", ...nothing, message: message.slice(0, 500), generation_id: id }, changes: {} };
}

/** The `trace` of a canary's call: what a destination's event says of it. docs/vector-spaces.md documents the members. */
interface CanaryTrace {
  canary: "baseline" | "steady" | "suspected" | "drift";
  canary_changed: boolean;
  canary_space: string;
  canary_distance?: number;
  canary_threshold?: number;
  canary_reason?: DriftReason;
}

const traced = (trace: CanaryTrace): Trace => ({ trace_name: "Drift canary", ...trace });

function baselineTrace({ space }: JudgedVectors): Trace {
  return traced({ canary: "baseline", canary_changed: false, canary_space: space });
}

function comparedTrace({ space }: JudgedVectors, compared: Compared): Trace {
  const { measured, before, after } = compared;
  const { distance, threshold, reason } = measured;
  const outcome = outcomeOf(compared);
  return traced({
    // Until a second run confirms that a drift is over, it is not.
    canary: after.drifted ? "drift" : outcome === "suspected" ? "suspected" : "steady",
    canary_changed: before.drifted !== after.drifted,
    canary_space: space,
    canary_threshold: threshold,
    ...(distance !== null && { canary_distance: distance }),
    ...(reason !== null && { canary_reason: reason }),
  });
}

/** One call of the gateway's own, charged to the workspace's canaries' key. No cache has a part in it. */
async function embed(
  { ctx, relay, stopping }: CanaryDeps,
  { id, workspace_id: workspaceId, provider, model }: ClaimedCanary,
  judge: (answer: JudgedVectors) => Trace,
): Promise<JudgedVectors> {
  const credential = await purposeCredential(ctx, workspaceId, "canary");
  stopping.throwIfAborted();
  const body = {
    model,
    input: texts,
    provider: { only: [provider], allow_fallbacks: false },
    session_id: `drift-canary-${id}`,
  };
  const room = roomIn(answers, credential.hash);
  let seen: JudgedVectors | null = null;
  const call: ModelCall = {
    credential,
    body: Buffer.from(JSON.stringify(body)),
    attribution: { referer: null, title: "Gatehouse drift canary", categories: [] },
    headers: { "cache-control": "no-store", "user-agent": "gatehouse-canary" },
    requestId: newRequestId(ctx.now()),
    apiUrl: "",
    sourceIp: null,
    signal: stopping,
    room,
    until: () => {},
    judge(answer) {
      seen = answer;
      return judge(answer);
    },
  };
  try {
    await relay.embeddings(call);
  } finally {
    room.giveBack();
  }
  if (seen === null) throw new Error("an answered call was not judged");
  return seen;
}
