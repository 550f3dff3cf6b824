import type { Deps } from "./context.ts";
import type { Credential } from "./credentials.ts";
import { accountSpendId } from "./ledger-commit.ts";
import type { LimitSettings } from "./limits.ts";
import type { Account } from "./purse.ts";

/** What limits the calls of a workspace beyond its keys' own limits. */
interface Policy {
  readonly budgets: readonly LimitSettings[];
  readonly credits: readonly LimitSettings[];
  readonly readAt: number;
}

/** Whose money a key spends. One in each process. */
export interface Accounts {
  /** the key's, its workspace's and the installation's account; asks the store when what it knows is old */
  of(deps: Deps, credential: Credential): Promise<readonly Account[]>;
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
      const { budgets, credits } = await policyOf(deps, workspaceId);
      const own: LimitSettings = {
        limit: credential.limitNano,
        reset: credential.limitReset,
        includeByok: credential.includeByokInLimit,
      };
      return [
        { spendId: credential.spendId, kind: "key", limits: own.limit === null ? [] : [own] },
        { spendId: workspaceId, kind: "workspace_budget", limits: budgets },
        { spendId: accountSpendId, kind: "credits", limits: credits },
      ];
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
    .selectFrom("workspace_budgets as budget")
    .innerJoin("workspaces as workspace", "workspace.id", "budget.workspace_id")
    .where("workspace.id", "=", workspaceId)
    .select(["budget.interval", "budget.limit_nano", "workspace.include_byok_in_budgets"])
    .execute();
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
        includeByok: row.include_byok_in_budgets,
      })),
    credits: credits.total === null ? [] : [{ limit: BigInt(credits.total), reset: null, includeByok: false }],
    readAt: deps.now().getTime(),
  };
}
