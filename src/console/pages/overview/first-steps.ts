import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { type CallRecord, listGenerations } from "#contract/calls.ts";
import { listEmbeddingModels } from "#contract/embeddings.ts";
import { listKeys } from "#contract/keys.ts";
import { getOverview } from "#contract/overview.ts";
import type { ProviderRecord } from "#contract/providers.ts";
import { readAgain } from "../../api/action.ts";
import { everyProvider } from "../../api/providers.ts";
import { query } from "../../api/query.ts";
import { allWorkspaces } from "../../paths.ts";
import { firstModel } from "../../shell/first-model.ts";
import { inTrouble } from "../../shell/provider-status.ts";

/** Where the browser remembers how far the steps of a workspace, or of all of them, are. */
const keptAs = (workspaceId: string) =>
  workspaceId === allWorkspaces ? "gatehouse.first-steps" : `gatehouse.first-steps.${workspaceId}`;

/**
 * What it remembers: that the steps were shown; the call that they waited for, until that is hidden; or that there is
 * nothing to show any more.
 */
const shown = "shown";
const arrived = "called ";
const over = "done";

/** What the playground and canaries call with keys of the gateway's own is nobody's first call. */
const isCallers = ({ key_purpose }: Pick<CallRecord, "key_purpose">) => key_purpose === null;

/** The id of the call that the steps waited for. */
export function arrivedCall(kept: string | null): string | null {
  return kept?.startsWith(arrived) ? kept.slice(arrived.length) : null;
}

/** What to remember once the calls are read; null: what was remembered stands. */
export function nextKept(kept: string | null, calls: readonly { id: string }[] | undefined): string | null {
  if (calls === undefined) return null;
  // the oldest of those that were read: the first call, unless many came at once
  const first = calls.at(-1);
  if (first === undefined) return kept === shown ? null : shown;
  return kept === shown ? arrived + first.id : over;
}

export interface FirstStepsSeen {
  /** undefined: none can be called now */
  model: { id: string; others: number } | undefined;
  /** the first of those that are offered while no provider of theirs works */
  down: string | undefined;
  hasKey: boolean;
}

function useKept(workspaceId: string | undefined): [string | null, (value: string) => void] {
  const [known, setKnown] = useState<Readonly<Record<string, string>>>({});
  const name = workspaceId === undefined ? undefined : keptAs(workspaceId);
  const keep = useCallback(
    (value: string) => {
      if (name === undefined) return;
      localStorage.setItem(name, value);
      setKnown((before) => ({ ...before, [name]: value }));
    },
    [name],
  );
  return [name === undefined ? null : (known[name] ?? localStorage.getItem(name)), keep];
}

export interface FirstStepsState {
  /** `null` while it is not known, `done` after the first call */
  steps: FirstStepsSeen | "done" | null;
  /** the id of the call that came while the steps were shown, until it is hidden */
  call: string | null;
  hide: () => void;
}

/**
 * How far a workspace, or with `all` the installation, is on the way to its first call. Once it has one it is never
 * asked again. Looks every few seconds, so that the first call shows when it comes.
 *
 * @param called whether a caller ever made a call, as the overview says; "unknown" where it could not be read
 */
export function useFirstSteps(
  workspaceId: string | undefined,
  called: boolean | "unknown" | undefined,
  every: number | false,
): FirstStepsState {
  const client = useQueryClient();
  const [kept, keep] = useKept(workspaceId);
  const gone = (kept !== null && kept !== shown) || called === "unknown";
  // once they are shown, the call that ends them is waited for, whatever the figures say
  const looking = kept === shown || called === false;
  const again = { enabled: workspaceId !== undefined && !gone && looking, refetchInterval: every };
  const workspace_id = workspaceId ?? allWorkspaces;
  const [models, providers, keys, calls] = useQueries({
    queries: [
      { ...query(listEmbeddingModels, {}), ...again },
      { ...everyProvider, ...again },
      { ...query(listKeys, { query: { workspace_id, include_disabled: "true" } }), ...again },
      { ...query(listGenerations, { query: { workspace_id, limit: "100" } }), ...again },
    ],
  });
  const next = gone ? null : !looking && called === true ? over : nextKept(kept, calls.data?.data.filter(isCallers));
  useEffect(() => {
    if (next === null) return;
    keep(next);
    // the figures that take the place of the steps were read before the call
    if (arrivedCall(next) !== null) void readAgain(client, getOverview.name);
  }, [next, keep, client]);
  return { steps: stepsSeen(), call: arrivedCall(kept), hide: () => keep(over) };

  function stepsSeen(): FirstStepsState["steps"] {
    // where it cannot be known, the page says what failed
    if (
      gone ||
      calls.data?.data.some(isCallers) ||
      (called === true && !looking) ||
      models.isError ||
      providers.isError ||
      keys.isError ||
      calls.isError
    )
      return "done";
    if (!models.data || !providers.data || !keys.data || !calls.data) return null;
    return {
      ...readyOf(models.data.data, providers.data.data),
      hasKey: keys.data.data.some(({ purpose }) => purpose === null),
    };
  }
}

/** Of the models that are offered, those with a provider that works. */
export function readyOf(
  models: readonly { id: string }[],
  providers: readonly Pick<ProviderRecord, "enabled" | "health" | "models">[],
): Pick<FirstStepsSeen, "model" | "down"> {
  const working = providers.filter((provider) => provider.enabled && !inTrouble(provider));
  const callable = new Set(working.flatMap((provider) => provider.models.map(({ id }) => id)));
  const ready = models.filter(({ id }) => callable.has(id));
  // the one that the code below calls, where it is among them
  const model = ready.find(({ id }) => id === firstModel(models).id) ?? ready[0];
  return { model: model && { id: model.id, others: ready.length - 1 }, down: models[0]?.id };
}
