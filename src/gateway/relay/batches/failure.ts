import { publicErrorType } from "#contract/errors.ts";
import { messagesErrorStatus, messagesErrorType } from "#contract/messages.ts";
import type { BatchForm } from "../../domain/generation-id.ts";
import type { Attempt } from "../../domain/ledger/attempt.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isStoreAway, storeAway } from "../../domain/store-away.ts";

/** Why a request of a batch has no answer. Null: it is a defect. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  return isStoreAway(error) ? storeAway(error) : null;
}

export const generationOf = ({ details }: Refusal): string | null => details.headers?.["x-generation-id"] ?? null;

const firstWaitMs = 5_000;
const longestWaitMs = 60_000;
/** How often a call is made that a provider refuses for its rate or its load. */
const mostTries = 4;

/** Statuses with which a provider refuses for its rate or its load, and bills nothing. */
const unbilled: ReadonlySet<unknown> = new Set([429, 503, 529]);

/** Whether every provider that was asked refused like that. Of a call that is not known in full: no. */
function isUnbilled({ details: { previous_errors: attempts } }: Refusal): boolean {
  if (!Array.isArray(attempts) || attempts.length === 0) return false;
  return (attempts as readonly Partial<Attempt>[]).every(({ status, sent }) => sent === false || unbilled.has(status));
}

/**
 * How long to wait before the request is made again; null: its failure is its result. What reached no provider is made
 * again for as long as the batch has time, and what all providers refused for their rate or their load a few times.
 */
export function retryMs(
  refusal: Refusal,
  { wasAsked, tries }: { readonly wasAsked: boolean; readonly tries: number },
): number | null {
  const { type, details } = refusal;
  const waitMs = Math.min(Math.max((details.retryAfterSeconds ?? 1) * 1_000, 1_000), longestWaitMs);
  if (!wasAsked) {
    return type === "rate_limit_exceeded" || type === "unavailable" || type === "provider_busy" ? waitMs : null;
  }
  if (
    generationOf(refusal) === null ||
    !isUnbilled(refusal) ||
    tries >= mostTries ||
    (type !== "rate_limit_exceeded" && type !== "provider_overloaded")
  )
    return null;
  return Math.min(Math.max(waitMs, firstWaitMs * 2 ** (tries - 1)), longestWaitMs);
}

/** The error in a result, in the form of the batch's dialect, with the status that the call would have had. */
export function failureOf(form: BatchForm, refusal: Refusal, requestId: string): { status: number; body: object } {
  const { type, message, details } = refusal;
  if (form === "messages") {
    return {
      status: messagesErrorStatus(type),
      body: {
        type: "error",
        error: { type: messagesErrorType(type), message, error_type: publicErrorType(type) },
        request_id: generationOf(refusal) ?? requestId,
      },
    };
  }
  const param = details.issues?.[0]?.path ?? null;
  return { status: refusal.status, body: { code: refusal.status, type: publicErrorType(type), message, param } };
}
