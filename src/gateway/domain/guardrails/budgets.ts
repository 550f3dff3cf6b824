import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { afterRecall, recallLeases } from "../ledger/lease-recall.ts";
import type { LimitSettings } from "../ledger/limits.ts";
import type { AppliedGuardrail, GuardrailScope } from "./effective.ts";
import type { GuardrailRow } from "./row.ts";

/** The row of `spends` that counts what all keys of one creator spend; migration 038 computes the same. */
export function memberSpendId(userId: string): string {
  const digits = createHash("sha256").update(`member ${userId}`).digest("hex");
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The same of a key; null: it has no creator. */
export const memberSpendIdOf = ({ creatorUserId }: { readonly creatorUserId: string | null }) =>
  creatorUserId === null ? null : memberSpendId(creatorUserId);

/** The budgets of the guardrails that cover a call in one of these ways, as limits of one count. */
export function budgetsOf(
  guardrails: readonly AppliedGuardrail[],
  scopes: readonly GuardrailScope[],
): readonly LimitSettings[] {
  return guardrails.flatMap(({ id, name, scope, settings }) => {
    const budget = scopes.includes(scope) ? budgetOf(settings) : null;
    return budget === null ? [] : [{ ...budget, guardrail: { id, name } }];
  });
}

function budgetOf({
  limit_nano: limit,
  reset_interval: reset,
  include_byok_in_budgets: includeByok,
}: AppliedGuardrail["settings"]): LimitSettings | null {
  return limit === null ? null : { limit, reset, includeByok };
}

/**
 * Call it when a change of a guardrail's budget, or of what it is assigned to, is committed and announced. Once it
 * resolves, no process spends under what was allowed before: what it has leased beyond the budget is given back.
 */
export async function recallBudget(ctx: Context, guardrail: GuardrailRow): Promise<void> {
  const budget = budgetOf(guardrail);
  // The embedded store has no leases.
  if (budget === null || ctx.store.engine === "embedded") return;
  const { rows } = await ctx.store.pool.query<{ spend_id: string }>(
    `select distinct l.spend_id from leases l where l.spend_id in (
       select k.spend_id from api_keys k join guardrail_keys a on a.key_hash = k.hash where a.guardrail_id = $1
       union all select k.spend_id from api_keys k where $2 and k.workspace_id = $3
       union all select m.spend_id from guardrail_members m where m.guardrail_id = $1
     )`,
    [guardrail.id, guardrail.is_default, guardrail.workspace_id],
  );
  for (const { spend_id: spendId } of rows) {
    const account = { spendId, limits: [budget] };
    await ctx.store.db.transaction().execute((trx) => recallLeases(trx, ctx.store, account, ctx.now()));
    await afterRecall(ctx.store, spendId);
  }
}
