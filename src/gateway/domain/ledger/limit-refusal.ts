import { toUsd, type NanoUsd } from "#contract/money.ts";
import { shortWords, usdWords } from "#contract/limit-messages.ts";
import type { Shortfall } from "./balance.ts";
import { Refusal } from "../refusal.ts";

/** What would make a refused call fit: members of the request and the largest value of each. */
export type Fits = Readonly<Record<string, number>> | null;

/**
 * The refusal of a call that does not fit, with the exact amounts behind the decision. A key's limit and the account's
 * credits answer 402, a workspace's budget 403, as in the public API.
 * @param fits called with what is left, nano-dollars
 */
export function limitRefusal(shortfall: Shortfall, fits: (remaining: NanoUsd) => Fits): Refusal {
  const { kind, limit, reset, spent, reserved, needed, resetsAt } = shortfall;
  const left = limit - spent - reserved;
  const remaining = left > 0n ? left : 0n;
  const held = reserved > 0n ? ` and ${usdWords(reserved)} held by calls in flight` : "";
  const nextReset = resetsAt === null ? "" : ` It resets at ${resetsAt.toISOString()}.`;
  const message = `${shortWords(kind, spent, limit, reset)}${held}, and the call may cost up to ${usdWords(needed)}.${nextReset}`;
  return new Refusal(kind === "workspace_budget" ? "permission_denied" : "payment_required", message, {
    limit_kind: kind,
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
