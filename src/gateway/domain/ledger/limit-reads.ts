import type { BudgetInterval } from "#contract/budgets.ts";
import type { NanoUsd } from "#contract/money.ts";
import type { LimitReset } from "#contract/time.ts";
import type { LimitSettings } from "./limits.ts";
import type { Statements } from "./balance.ts";

/** Broadest first: a refusal names the broadest. */
const broadestFirst: readonly BudgetInterval[] = ["lifetime", "monthly", "weekly", "daily"];

/** The limits of a key, a workspace and the installation that can refuse a call, as the store has them. */
export async function keyLimits(statements: Statements, hash: string): Promise<readonly LimitSettings[]> {
  const { rows } = await statements.query<{ limit: NanoUsd; reset: LimitReset | null; byok: boolean }>(
    `select limit_nano as limit, limit_reset as reset, include_byok_in_limit as byok
     from api_keys where hash = $1 and limit_nano is not null and not limit_watch_only`,
    [hash],
  );
  return rows.map(({ limit, reset, byok }) => ({ limit, reset, includeByok: byok }));
}

export async function budgetLimits(statements: Statements, workspaceId: string): Promise<readonly LimitSettings[]> {
  const { rows } = await statements.query<{ limit: NanoUsd; interval: BudgetInterval; byok: boolean }>(
    `select b.limit_nano as limit, b.interval, w.include_byok_in_budgets as byok
     from workspace_budgets b join workspaces w on w.id = b.workspace_id where b.workspace_id = $1`,
    [workspaceId],
  );
  return rows
    .toSorted((a, b) => broadestFirst.indexOf(a.interval) - broadestFirst.indexOf(b.interval))
    .map(({ limit, interval, byok }) => ({
      limit,
      reset: interval === "lifetime" ? null : interval,
      includeByok: byok,
    }));
}

export async function creditLimits(statements: Statements): Promise<readonly LimitSettings[]> {
  const { rows } = await statements.query<{ limit: NanoUsd | null }>(
    "select sum(amount)::bigint as limit from credits",
  );
  return rows.flatMap(({ limit }) => (limit === null ? [] : [{ limit, reset: null, includeByok: false }]));
}
