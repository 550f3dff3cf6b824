import { SortBy } from "#contract/routing.ts";
import type { Deps } from "../context.ts";
import type { AppliedGuardrail } from "../guardrails/effective.ts";
import type { CoveredKey } from "../guardrails/guardrail-cache.ts";
import { budgetsOf, memberSpendId } from "../guardrails/budgets.ts";
import { type Credential, type Maker, refuseUnusable } from "./credentials.ts";
import { createReadThrough } from "../read-through.ts";
import { accountSpendId } from "../ledger/commit.ts";
import { budgetLimits, creditLimits, keyLimits, makerLimits, memberLimits } from "../ledger/limit-reads.ts";
import type { LimitSettings } from "../ledger/limits.ts";
import type { Account } from "../ledger/balance.ts";
import type { WorkspaceRow } from "../workspaces/row.ts";
import { cachePolicyOf, type EmbeddingCachePolicy } from "../workspaces/stored-vectors.ts";

/** What limits the calls of a workspace beyond its keys' own limits. */
interface Policy {
  readonly budgets: readonly LimitSettings[];
  readonly credits: readonly LimitSettings[];
  readonly workspace: WorkspacePolicy;
}

/** A workspace's rules for all its calls. */
export interface WorkspacePolicy {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly defaultSort: SortBy | null;
  readonly defaultTextModel: string | null;
  /** the share of calls whose bodies are kept, 0 to 1 */
  readonly keptBodies: number;
  /** null: vectors are kept in memory only */
  readonly embeddingCache: EmbeddingCachePolicy | null;
}

/** Who pays for a call, and the workspace's rules for it. */
export interface CallPolicy {
  readonly accounts: readonly Account[];
  readonly workspace: WorkspacePolicy;
  /** those that cover the call */
  readonly guardrails: readonly AppliedGuardrail[];
  /**
   * The accounts as they are now, for a call that has waited.
   * @throws Refusal when the key can no longer be used
   */
  readonly accountsNow: () => Promise<readonly Account[]>;
}

/** Whose money a key spends. One per process. */
export interface Accounts {
  /** the accounts of the key, its workspace and the installation; reads the store when the cached ones are old */
  of(deps: Deps, credential: Credential): Promise<CallPolicy>;
  /** drops this process's cache, and tells the others; call it after a committed change */
  changed(deps: Deps): Promise<void>;
  watch(deps: Deps): void;
}

const mostKnown = 10_000;

export function createCallPolicies(): Accounts {
  // While the store is unavailable the ledger refuses limited keys; the last known policy says which ones those are.
  const { of: policyOf, ...cache } = createReadThrough<Policy>("gatehouse_budgets", mostKnown);
  return {
    ...cache,
    async of(deps, credential) {
      const workspaceId = credential.workspaceId ?? accountSpendId;
      const { budgets, credits, workspace } = await policyOf(deps, workspaceId, () => readPolicy(deps, workspaceId));
      const { hash, creatorUserId, maker } = credential;
      const guardrails = await deps.guardrails.of(deps, { hash, workspaceId, creatorUserId });
      const accounts: readonly Account[] = [
        {
          spendId: credential.spendId,
          owner: hash,
          kind: "key",
          limits: [...credential.limits, ...budgetsOf(guardrails, ["workspace", "key"])],
          readLimits: (statements) => keyLimits(statements, hash),
        },
        {
          spendId: workspaceId,
          kind: "workspace_budget",
          limits: budgets,
          readLimits: (statements) => budgetLimits(statements, workspaceId),
        },
        ...(creatorUserId === null ? [] : [memberAccount(creatorUserId, guardrails)]),
        ...(maker === null ? [] : [await makerAccount(deps, { hash, workspaceId, creatorUserId }, maker)]),
        { spendId: accountSpendId, kind: "credits", limits: credits, readLimits: creditLimits },
      ];
      const accountsNow = async () => {
        const current = (await deps.credentials.read(deps, credential.hash)) ?? credential;
        refuseUnusable(current, deps.now());
        return (await this.of(deps, current)).accounts;
      };
      return { accounts, workspace, guardrails, accountsNow };
    },
  };
}

/** What a key spends together with those that it had made: they give no more than it has. */
async function makerAccount(deps: Deps, made: CoveredKey, maker: Maker): Promise<Account> {
  const limits = maker.keys.map(async (key) => {
    // A key is in the workspace of the key that had it made, and its creator is the same.
    const guardrails = await deps.guardrails.of(deps, { ...made, hash: key.hash });
    return [...key.limits, ...budgetsOf(guardrails, ["workspace", "key"])];
  });
  return {
    spendId: maker.spendId,
    owner: made.hash,
    kind: "maker",
    limits: (await Promise.all(limits)).flat(),
    readLimits: (statements) => makerLimits(statements, made.hash),
  };
}

/** What all keys of one creator spend together. */
function memberAccount(userId: string, guardrails: readonly AppliedGuardrail[]): Account {
  const spendId = memberSpendId(userId);
  return {
    spendId,
    kind: "member",
    limits: budgetsOf(guardrails, ["member"]),
    readLimits: (statements) => memberLimits(statements, spendId),
  };
}

async function readPolicy(deps: Deps, workspaceId: string): Promise<Policy> {
  const workspace = await deps.store.db
    .selectFrom("workspaces")
    .selectAll()
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const cache = await deps.store.db
    .selectFrom("embedding_caches")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return {
    budgets: await budgetLimits(deps.store.pool, workspaceId),
    credits: await creditLimits(deps.store.pool),
    workspace: {
      requestsPerMinute: workspace.requests_per_minute,
      tokensPerMinute: workspace.tokens_per_minute,
      defaultSort: SortBy.safeParse(workspace.default_provider_sort).data ?? null,
      defaultTextModel: workspace.default_text_model,
      keptBodies: keptBodies(workspace),
      embeddingCache: cache === undefined ? null : cachePolicyOf(cache.id, workspace),
    },
  };
}

/** Lists of key ids were accepted once: they name no key of this gateway, so no bodies are kept. */
function keptBodies(workspace: WorkspaceRow): number {
  const { is_observability_io_logging_enabled: keeps, io_logging_api_key_ids: only } = workspace;
  return keeps && only === null ? workspace.io_logging_sampling_rate : 0;
}
