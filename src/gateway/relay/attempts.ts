import type { Attempt } from "../domain/ledger-entry.ts";
import type { Candidate, Route } from "../domain/routing.ts";
import { CallFailed } from "../providers/call.ts";
import { failure } from "../providers/failure.ts";
import { BadAnswer } from "../providers/provider.ts";
import type { RelayParts } from "./parts.ts";
import { type FailedCall, upstreamRefusal } from "./upstream-refusal.ts";

/** The calls that were made for one request so far. */
export interface Tried {
  readonly attempts: Attempt[];
  readonly failed: FailedCall[];
}

/**
 * Tries the candidates in order until one answers. Health hears of every failure here, of a success from who uses it.
 * @throws Refusal when none did; the abort's reason when the caller left
 */
export async function firstThatAnswers<T>(
  parts: RelayParts,
  route: Route,
  tried: Tried,
  signal: AbortSignal,
  ask: (candidate: Candidate) => Promise<T>,
): Promise<{ candidate: Candidate; answer: T }> {
  for (const candidate of route.candidates) {
    const { provider, model, byok } = candidate;
    const { health, now } = parts.deps;
    const started = performance.now();
    const note = (status: number | null, error: string | null) => {
      const latency = Math.round(performance.now() - started);
      tried.attempts.push({
        provider: provider.slug,
        model: model.id,
        status,
        latency_ms: latency,
        is_byok: byok !== null,
        error,
      });
    };
    health.begin(provider.slug, model.id, now());
    try {
      const answer = await ask(candidate);
      note(200, null);
      return { candidate, answer };
    } catch (error) {
      const failed = failureOf(error);
      if (failed === null || signal.aborted) {
        endUnjudged(parts, candidate);
        note(null, "the caller left");
        throw error;
      }
      const end = { failure: failed, latencyMs: null, tokensPerSecond: null, byok: byok !== null };
      health.end(provider.slug, model.id, end, now());
      note(failed.status, failed.message);
      tried.failed.push({ provider: provider.name, failure: failed });
      if (!failed.retryable) break;
    }
  }
  throw upstreamRefusal(tried.failed, tried.attempts, route.passedOver);
}

function failureOf(error: unknown) {
  if (error instanceof CallFailed) return error.failure;
  if (error instanceof BadAnswer) return failure("bad_answer", { status: 200, message: error.message });
  return null;
}

/** A call that ended for a reason that says nothing of the provider. */
export function endUnjudged({ deps: { health, now } }: RelayParts, { provider, model, byok }: Candidate) {
  const unjudged = { reason: "invalid_request", message: "", status: null, retryAfterSeconds: null };
  const end = { failure: unjudged, latencyMs: null, tokensPerSecond: null, byok: byok !== null };
  health.end(provider.slug, model.id, end, now());
}
