import type { Deps } from "../context.ts";
import { pick } from "../patch.ts";
import { createReadThrough } from "../read-through.ts";
import type { AppliedGuardrail, GuardrailScope } from "./effective.ts";
import { guardrailDefaults } from "./settings.ts";

/** Whose calls guardrails cover. */
export interface CoveredKey {
  readonly hash: string;
  readonly workspaceId: string;
  readonly creatorUserId: string | null;
}

/** The guardrails that cover calls, as this process knows them. One per process. */
export interface GuardrailCache {
  /** the workspace's default one, that of the key's creator and the key's own: those that there are */
  of(deps: Deps, key: CoveredKey): Promise<readonly AppliedGuardrail[]>;
  /** drops this process's cache, and tells the others; call it after a committed change */
  changed(deps: Deps): Promise<void>;
  watch(deps: Deps): void;
}

interface Covering {
  readonly id: string;
  readonly scope: GuardrailScope;
}

const mostKeys = 10_000;
/** One guardrail may have a quarter of a megabyte. */
const mostGuardrails = 500;
const none: readonly AppliedGuardrail[] = [];

export function createGuardrailCache(): GuardrailCache {
  const covering = createReadThrough<readonly Covering[]>("gatehouse_guardrails", mostKeys);
  const guardrails = createReadThrough<Omit<AppliedGuardrail, "scope"> | null>("gatehouse_guardrails", mostGuardrails);
  return {
    async of(deps, key) {
      const found = await covering.of(deps, key.hash, () => readCovering(deps, key));
      if (found.length === 0) return none;
      const applied = await Promise.all(
        found.map(async ({ id, scope }) => {
          const guardrail = await guardrails.of(deps, id, () => readGuardrail(deps, id));
          return guardrail === null ? [] : [{ ...guardrail, scope }];
        }),
      );
      return applied.flat();
    },
    async changed(deps) {
      await guardrails.changed(deps);
      await covering.changed(deps);
    },
    watch(deps) {
      guardrails.watch(deps);
      covering.watch(deps);
    },
  };
}

async function readCovering({ store }: Deps, key: CoveredKey): Promise<readonly Covering[]> {
  const { rows } = await store.pool.query<Covering>(
    `select id, 'workspace' as scope from guardrails where workspace_id = $1 and is_default
     union all select guardrail_id, 'member' from guardrail_members where user_id = $2
     union all select guardrail_id, 'key' from guardrail_keys where key_hash = $3`,
    [key.workspaceId, key.creatorUserId, key.hash],
  );
  return rows;
}

async function readGuardrail({ store }: Deps, id: string): Promise<Omit<AppliedGuardrail, "scope"> | null> {
  const row = await store.db.selectFrom("guardrails").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : { id, name: row.name, settings: pick(row, guardrailDefaults) };
}
