import { queryOptions } from "@tanstack/react-query";
import type { GuardrailRecord } from "#contract/guardrails.ts";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import type { CoveringGuardrail } from "./read-guardrails.ts";

interface Guardrails {
  rows: readonly GuardrailRecord[];
  total: number;
}

/**
 * The guardrails of a workspace, its default one first, or of `all`, where default ones are listed once they were
 * changed. The contract is fetched with the first read: the command menu searches guardrails on every page.
 */
export const everyGuardrail = (workspaceId: string, workspace: WorkspaceRecord | undefined) =>
  queryOptions<Guardrails>({
    queryKey: ["listGuardrails", workspaceId, workspace?.default_guardrail_id, "every"],
    queryFn: async ({ signal }) =>
      (await import("./read-guardrails.ts")).readGuardrails(workspaceId, workspace?.default_guardrail_id, signal),
    meta: { path: workspaceId === "all" ? "/guardrails" : `/guardrails?workspace_id=${workspaceId}` },
  });

/** The guardrails that cover a key: its own, its creator's, and the default one of its workspace. */
export const keyGuardrails = (hash: string, creator: string | null, defaultId: string | undefined) =>
  queryOptions<readonly CoveringGuardrail[]>({
    queryKey: ["listKeyAssignments", hash, creator, defaultId, "covering"],
    queryFn: async ({ signal }) =>
      (await import("./read-guardrails.ts")).readKeyGuardrails({ hash, creator, defaultId }, signal),
    meta: { path: `/guardrails/assignments/keys?key_hash=${hash}` },
  });
