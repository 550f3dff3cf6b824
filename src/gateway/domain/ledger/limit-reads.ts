import type { BudgetInterval } from "#contract/budgets.ts";
import type { NanoUsd } from "#contract/money.ts";
import type { LimitReset } from "#contract/time.ts";
import type { LimitSettings } from "./limits.ts";
import type { Statements } from "./balance.ts";

/** Broadest first: a refusal names the broadest. */
const broadestFirst: readonly BudgetInterval[] = ["lifetime", "monthly", "weekly", "daily"];

interface LimitRow {
  readonly limit: NanoUsd;
  readonly reset: LimitReset | null;
  readonly byok: boolean;
  /** of a guardrail; null: of the key itself */
  readonly id: string | null;
  readonly name: string | null;
}

const settingsOf = ({ limit, reset, byok, id, name }: LimitRow): LimitSettings => ({
  limit,
  reset,
  includeByok: byok,
  ...(id !== null && { guardrail: { id, name: name ?? "" } }),
});

const budget = `g.limit_nano as limit, g.reset_interval as reset, g.include_byok_in_budgets as byok, g.id, g.name`;

/**
 * The limits of a key, a member, a workspace and the installation that can refuse a call, as the store has them. Those of
 * a key are its own limit and the budgets of the guardrails that cover it.
 */
export async function keyLimits(statements: Statements, hash: string): Promise<readonly LimitSettings[]> {
  const { rows } = await statements.query<LimitRow>(limitsOf("select $1"), [hash]);
  return rows.map(settingsOf);
}

/** The same of the keys that had a key made, which bind it as well. */
export async function makerLimits(statements: Statements, hash: string): Promise<readonly LimitSettings[]> {
  const makers = makersOf("(select made_by from api_keys where hash = $1)");
  const { rows } = await statements.query<LimitRow>(limitsOf(`select hash from (${makers}) as maker`), [hash]);
  return rows.map(settingsOf);
}

/**
 * The key that had another one made and its successors, which share its count: in SQL, as living rows of `api_keys`.
 * @param madeBy an expression: the hash of the key that had it made
 */
export const makersOf = (madeBy: string) => `
  with recursive maker as (
    select * from api_keys where hash = ${madeBy}
    union all select k.* from api_keys k join maker m on k.hash = m.replaced_by
  ) select * from maker where deleted_at is null`;

/** @param hashes a query of keys' hashes */
const limitsOf = (hashes: string) => `
  with key (hash) as materialized (${hashes})
  select limit_nano as limit, limit_reset as reset, include_byok_in_limit as byok, null as id, null as name
  from api_keys join key using (hash) where limit_nano is not null and not limit_watch_only
  union all select ${budget} from guardrails g join api_keys k on k.workspace_id = g.workspace_id
  join key on key.hash = k.hash where g.is_default and g.limit_nano is not null
  union all select ${budget} from guardrails g join guardrail_keys a on a.guardrail_id = g.id
  join key on key.hash = a.key_hash where g.limit_nano is not null`;

/** @param spendId the count of what the member's keys spend */
export async function memberLimits(statements: Statements, spendId: string): Promise<readonly LimitSettings[]> {
  const { rows } = await statements.query<LimitRow>(
    `select ${budget} from guardrails g join guardrail_members m on m.guardrail_id = g.id
     where m.spend_id = $1 and g.limit_nano is not null`,
    [spendId],
  );
  return rows.map(settingsOf);
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
