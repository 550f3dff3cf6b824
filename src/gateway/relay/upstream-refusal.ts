import type { ErrorType } from "#contract/errors.ts";
import type { Attempt } from "../domain/ledger-entry.ts";
import { Refusal } from "../domain/refusal.ts";
import type { PassedOver } from "../domain/routing.ts";
import type { UpstreamFailure } from "../providers/provider.ts";

/** A vendor's failure, with the vendor. */
export interface FailedCall {
  readonly provider: string;
  readonly failure: UpstreamFailure;
}

const types: Record<UpstreamFailure["reason"], ErrorType> = {
  rate_limited: "rate_limit_exceeded",
  overloaded: "provider_overloaded",
  server: "provider_error",
  timeout: "timeout",
  connection: "provider_error",
  bad_answer: "provider_error",
  // The gateway's key was refused, not the caller's: a 401 would send the caller looking in the wrong place.
  credentials: "provider_error",
  payment: "provider_error",
  not_found: "not_found",
  context_length: "invalid_request",
  content_policy: "invalid_request",
  invalid_request: "invalid_request",
  payload_too_large: "payload_too_large",
};

/** For the caller: what the last vendor said, and in the metadata what every one that was tried said. */
export function upstreamRefusal(
  failed: readonly FailedCall[],
  attempts: readonly Attempt[],
  passedOver: readonly PassedOver[],
): Refusal {
  const last = failed.at(-1);
  if (last === undefined) return new Refusal("provider_error", "No provider was tried", { passed_over: passedOver });
  const { provider, failure } = last;
  const waits = failed.map((each) => each.failure.retryAfterSeconds).filter((seconds) => seconds !== null);
  const [wait] = waits.toSorted((a, b) => a - b);
  const tried = attempts.length > 1 ? ` (${attempts.length} calls were tried; metadata.attempts lists them)` : "";
  return new Refusal(typeOf(failed, failure), `${provider} ${verb(failure)}: ${failure.message}${tried}`, {
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    reason: failure.reason,
    provider_name: provider,
    provider_code: failure.code,
    raw: failure.message,
    attempts,
    passed_over: passedOver,
  });
}

function typeOf(failed: readonly FailedCall[], last: UpstreamFailure): ErrorType {
  const reasons = new Set(failed.map(({ failure }) => failure.reason));
  const busy = [...reasons].every((reason) => reason === "rate_limited" || reason === "overloaded");
  if (busy && reasons.has("overloaded")) return "provider_overloaded";
  return types[last.reason];
}

function verb({ status, reason }: UpstreamFailure): string {
  if (status !== null) return `answered ${status}`;
  // Nothing was sent: the vendor's dialect has no words for the request.
  if (reason === "invalid_request") return "cannot take this request";
  if (reason === "timeout") return "did not answer in time";
  return reason === "connection" ? "could not be reached" : "broke off";
}
