import { SortBy } from "#contract/routing.ts";
import type { Deps } from "./context.ts";
import type { Credential } from "./credentials.ts";
import { accountSpendId } from "./ledger-commit.ts";
import type { LimitSettings } from "./limits.ts";
import type { Account } from "./purse.ts";

/** What limits the calls of a workspace beyond its keys' own limits. */
interface Policy {
  readonly budgets: readonly LimitSettings[];
  readonly credits: readonly LimitSettings[];
  readonly workspace: PayingWorkspace;
  readonly readAt: number;
}

/** What a workspace asks of all its calls. */
export interface PayingWorkspace {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly defaultSort: SortBy | null;
  readonly defaultTextModel: string | null;
  /** the share of calls whose bodies are kept, 0 to 1 */
  readonly keptBodies: number;
}

/** Who pays for a call, and what the workspace says about it. */
export interface Payer {
  readonly accounts: readonly Account[];
  readonly workspace: PayingWorkspace;
}

/** Whose money a key spends. One in each process. */
export interface Accounts {
  /** the key's, its workspace's and the installation's account; asks the store when what it knows is old */
  of(deps: Deps, credential: Credential): Promise<Payer>;
  /** forgets what is known in this process, and tells the others; call it after a committed change */
  changed(deps: Deps): Promise<void>;
  watch(deps: Deps): void;
}

const channel = "gatehouse_budgets";
/** How long a change that was never heard of can last. */
const freshMs = 5_000;
/** Broadest first: that is the one that a refusal names. */
const broadestFirst = ["lifetime", "monthly", "weekly", "daily"] as const;

export function createAccounts(): Accounts {
  const policies = new Map<string, Policy>();
  const reading = new Map<string, Promise<Policy>>();
  let changes = 0;

  async function read(deps: Deps, workspaceId: string, known: Policy | undefined): Promise<Policy> {
    const before = changes;
    try {
      const policy = await readPolicy(deps, workspaceId);
      if (before === changes) policies.set(workspaceId, policy);
      return policy;
    } catch (error) {
      // With the store away the ledger refuses whoever has a limit; what was known tells who that is.
      if (known !== undefined) return known;
      throw error;
    } finally {
      reading.delete(workspaceId);
    }
  }

  async function policyOf(deps: Deps, workspaceId: string): Promise<Policy> {
    const known = policies.get(workspaceId);
    if (known !== undefined && isFresh(deps, known)) return known;
    const running = reading.get(workspaceId) ?? read(deps, workspaceId, known);
    reading.set(workspaceId, running);
    return await running;
  }

  function forget() {
    changes += 1;
    policies.clear();
    reading.clear();
  }

  return {
    async of(deps, credential) {
      const workspaceId = credential.workspaceId ?? accountSpendId;
      const { budgets, credits, workspace } = await policyOf(deps, workspaceId);
      const own: LimitSettings = {
        limit: credential.limitNano,
        reset: credential.limitReset,
        includeByok: credential.includeByokInLimit,
      };
      const accounts: readonly Account[] = [
        { spendId: credential.spendId, kind: "key", limits: own.limit === null ? [] : [own] },
        { spendId: workspaceId, kind: "workspace_budget", limits: budgets },
        { spendId: accountSpendId, kind: "credits", limits: credits },
      ];
      return { accounts, workspace };
    },
    async changed(deps) {
      forget();
      await deps.store.notices.send(channel, "");
    },
    watch(deps) {
      deps.store.notices.listen(channel, forget);
    },
  };
}

/** The embedded store has no other process whose change could be missed. */
function isFresh(deps: Deps, policy: Policy): boolean {
  if (deps.store.engine === "embedded") return true;
  return Math.abs(deps.now().getTime() - policy.readAt) < freshMs;
}

async function readPolicy(deps: Deps, workspaceId: string): Promise<Policy> {
  const { db } = deps.store;
  const rows = await db
    .selectFrom("workspace_budgets")
    .where("workspace_id", "=", workspaceId)
    .select(["interval", "limit_nano"])
    .execute();
  const workspace = await db
    .selectFrom("workspaces")
    .selectAll()
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const credits = await db
    .selectFrom("credits")
    .select(({ fn }) => [fn.sum<string | null>("amount").as("total")])
    .executeTakeFirstOrThrow();
  return {
    budgets: rows
      .toSorted((a, b) => broadestFirst.indexOf(a.interval) - broadestFirst.indexOf(b.interval))
      .map((row) => ({
        limit: row.limit_nano,
        reset: row.interval === "lifetime" ? null : row.interval,
        includeByok: workspace.include_byok_in_budgets,
      })),
    credits: credits.total === null ? [] : [{ limit: BigInt(credits.total), reset: null, includeByok: false }],
    workspace: {
      requestsPerMinute: workspace.requests_per_minute,
      tokensPerMinute: workspace.tokens_per_minute,
      defaultSort: SortBy.safeParse(workspace.default_provider_sort).data ?? null,
      defaultTextModel: workspace.default_text_model,
      keptBodies: workspace.is_observability_io_logging_enabled ? workspace.io_logging_sampling_rate : 0,
    },
    readAt: deps.now().getTime(),
  };
}
