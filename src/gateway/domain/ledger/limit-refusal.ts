import { toUsd, type NanoUsd } from "#contract/money.ts";
import { shortWords, usdWords } from "#contract/limit-messages.ts";
import type { Shortfall } from "./balance.ts";
import { Refusal } from "../refusal.ts";

/** What would make a refused call fit: members of the request and the largest value of each. */
export type Fits = Readonly<Record<string, number>> | null;

/**
 * The refusal of a call that does not fit, with the exact amounts behind the decision. A key's limit and the account's
 * credits answer 402, a workspace's and a guardrail's budget 403, as in the public API.
 * @param fits called with what is left, nano-dollars
 */
export function limitRefusal(shortfall: Shortfall, fits: (remaining: NanoUsd) => Fits): Refusal {
  const { kind, guardrail, limit, reset, spent, reserved, needed, resetsAt } = shortfall;
  const isBudget = kind === "workspace_budget" || kind === "guardrail_budget";
  const left = limit - spent - reserved;
  const remaining = left > 0n ? left : 0n;
  const held = reserved > 0n ? ` and ${usdWords(reserved)} held by calls in flight` : "";
  const nextReset = resetsAt === null ? "" : ` It resets at ${resetsAt.toISOString()}.`;
  const named = guardrail === undefined ? "" : ` The guardrail is ${guardrail.name}.`;
  const message = `${shortWords(kind, spent, limit, reset)}${held}, and the call may cost up to ${usdWords(needed)}.${nextReset}${named}`;
  return new Refusal(isBudget ? "permission_denied" : "payment_required", message, {
    limit_kind: kind,
    ...(guardrail !== undefined && { guardrail_id: guardrail.id }),
    limit: toUsd(limit),
    limit_reset: reset,
    spent: toUsd(spent),
    reserved: toUsd(reserved),
    estimate: toUsd(needed),
    remaining: toUsd(remaining),
    resets_at: resetsAt?.toISOString() ?? null,
    fits: fits(remaining),
  });
}
