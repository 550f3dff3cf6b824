import { useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { listGenerations } from "#contract/calls.ts";
import { listEmbeddingModels } from "#contract/embeddings.ts";
import { listKeys } from "#contract/keys.ts";
import type { ProviderRecord } from "#contract/providers.ts";
import { everyProvider } from "../../api/providers.ts";
import { query } from "../../api/query.ts";
import { allWorkspaces } from "../../paths.ts";
import { inTrouble } from "../../shell/provider-status.ts";

/** Where the browser remembers that the steps of a workspace, or of all of them, are done. */
const doneForGood = (workspaceId: string) =>
  workspaceId === allWorkspaces ? "gatehouse.first-steps" : `gatehouse.first-steps.${workspaceId}`;

export interface FirstStepsSeen {
  /** undefined: none can be called now */
  model: { name: string; others: number } | undefined;
  /** the first of those that are offered while no provider of theirs works */
  down: string | undefined;
  hasKey: boolean;
}

/**
 * How far a workspace, or with `all` the installation, is on the way to its first call: `null` while that is not known,
 * `done` after it. Once done it is never asked again. Looks every few seconds, so that the first call shows when it comes.
 */
export function useFirstSteps(workspaceId: string | undefined, every: number | false): FirstStepsSeen | "done" | null {
  const [seenDone, setSeenDone] = useState<string>();
  const gone =
    workspaceId !== undefined &&
    (seenDone === workspaceId || localStorage.getItem(doneForGood(workspaceId)) === "done");
  const again = { enabled: workspaceId !== undefined && !gone, refetchInterval: every };
  const workspace_id = workspaceId ?? allWorkspaces;
  const [models, providers, keys, calls] = useQueries({
    queries: [
      { ...query(listEmbeddingModels, {}), ...again },
      { ...everyProvider, ...again },
      { ...query(listKeys, { query: { workspace_id, limit: "1", include_disabled: "true" } }), ...again },
      { ...query(listGenerations, { query: { workspace_id, limit: "1" } }), ...again },
    ],
  });
  const called = !gone && (calls.data?.data.length ?? 0) > 0;
  useEffect(() => {
    if (!called || workspaceId === undefined) return;
    localStorage.setItem(doneForGood(workspaceId), "done");
    setSeenDone(workspaceId);
  }, [called, workspaceId]);
  // where it cannot be known, the page says what failed
  if (gone || called || models.isError || providers.isError || keys.isError || calls.isError) return "done";
  if (!models.data || !providers.data || !keys.data || !calls.data) return null;
  return { ...readyOf(models.data.data, providers.data.data), hasKey: keys.data.data.length > 0 };
}

/** Of the models that are offered, those with a provider that works. */
export function readyOf(
  models: readonly { id: string; name: string }[],
  providers: readonly Pick<ProviderRecord, "enabled" | "health" | "models">[],
): Pick<FirstStepsSeen, "model" | "down"> {
  const working = providers.filter((provider) => provider.enabled && !inTrouble(provider));
  const callable = new Set(working.flatMap((provider) => provider.models.map(({ id }) => id)));
  const [model, ...others] = models.filter(({ id }) => callable.has(id));
  return { model: model && { name: model.name, others: others.length }, down: models[0]?.name };
}
