import type { ErrorType } from "#contract/errors.ts";
import { type Attempt, firstAndLast, keptAttempts } from "../domain/ledger/attempt.ts";
import { Refusal } from "../domain/refusal.ts";
import type { PassedOver } from "../domain/routing/routing.ts";
import type { UpstreamFailure } from "../providers/provider.ts";
import { TooManyCalls } from "../too-many-calls.ts";

/** A vendor's failure, with the vendor. */
export interface FailedCall {
  readonly provider: string;
  readonly failure: UpstreamFailure;
}

const types: Record<UpstreamFailure["reason"], ErrorType> = {
  rate_limited: "rate_limit_exceeded",
  overloaded: "provider_overloaded",
  server: "provider_unavailable",
  timeout: "timeout",
  connection: "provider_unavailable",
  bad_answer: "provider_unavailable",
  // The gateway's key was refused, not the caller's: a 401 would mislead the caller.
  credentials: "provider_unavailable",
  payment: "provider_unavailable",
  not_found: "not_found",
  context_length: "context_length_exceeded",
  content_policy: "content_policy_violation",
  invalid_request: "invalid_request",
  payload_too_large: "payload_too_large",
};

/** Statuses that are more specific than the reason derived from them. */
const byStatus: Readonly<Record<number, Partial<Record<UpstreamFailure["reason"], ErrorType>>>> = {
  408: { timeout: "request_timeout" },
  422: { invalid_request: "unprocessable" },
  503: { overloaded: "provider_busy" },
};

/** For the caller: the last vendor's message, and in the metadata the message of every vendor that was tried. */
export function upstreamRefusal(
  failed: readonly FailedCall[],
  attempts: readonly Attempt[],
  passedOver: readonly PassedOver[],
): Refusal {
  const last = failed.at(-1);
  if (last === undefined) {
    if (passedOver.some(({ code }) => code === "busy")) {
      const message = "The remaining providers have as many calls in flight as allowed";
      return new TooManyCalls(message, { passed_over: passedOver });
    }
    const message = attempts.length > 0 ? "No provider was left to call" : "No provider was tried";
    return new Refusal("provider_unavailable", message, { passed_over: passedOver });
  }
  const { provider, failure } = last;
  const waits = failed.map((each) => each.failure.retryAfterSeconds).filter((seconds) => seconds !== null);
  const [wait] = waits.toSorted((a, b) => a - b);
  const listed = attempts.length > 2 * keptAttempts ? `the first and last ${keptAttempts}` : "them";
  const tried = failed.length > 1 ? ` (${failed.length} calls failed; metadata.previous_errors lists ${listed})` : "";
  return new Refusal(typeOf(failed, failure), `${provider} ${verb(failure)}: ${failure.message}${tried}`, {
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    reason: failure.reason,
    provider_name: provider,
    provider_code: failure.code,
    raw: failure.message,
    previous_errors: firstAndLast(attempts).map(({ status, error, ...attempt }) => ({
      ...attempt,
      status,
      code: status,
      message: error,
    })),
    passed_over: passedOver,
  });
}

function typeOf(failed: readonly FailedCall[], last: UpstreamFailure): ErrorType {
  const reasons = new Set(failed.map(({ failure }) => failure.reason));
  const busy = [...reasons].every((reason) => reason === "rate_limited" || reason === "overloaded");
  const allBusy = failed.every(({ failure: { status } }) => status === 503);
  if (busy && reasons.has("overloaded")) return allBusy ? "provider_busy" : "provider_overloaded";
  return byStatus[last.status ?? 0]?.[last.reason] ?? types[last.reason];
}

function verb({ status, reason, mayBill }: UpstreamFailure): string {
  if (status !== null) return `answered ${status}`;
  // Nothing was sent: the vendor's dialect cannot express the request.
  if (reason === "invalid_request") return "cannot take this request";
  if (reason === "timeout") return "did not answer in time";
  return reason === "connection" && !mayBill ? "could not be reached" : "broke off";
}
