import { useQuery } from "@tanstack/react-query";
import { estimateDestination, getDestinationHealth, previewDestination } from "#contract/forwarding.ts";
import { ApiError } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { draftOf, unsavedConfig, unsavedSettings } from "./draft.ts";
import type { Editing } from "./editor.ts";
import { dryRun, ruleName } from "./dry-run.ts";
import { settingNames, settings } from "./settings.ts";
import { useDebouncedCall } from "./use-debounced-call.ts";
import { useRecentCalls } from "./use-recent-calls.ts";

/** The settings that decide what a record holds. */
const contents = settingNames.filter((name) => settings[name].section === "privacy");

/**
 * What the gateway says about the unsaved settings: how many calls come through, what one of them would look like, and
 * how delivery goes as it is stored. Each part fails alone, and none holds up the form.
 */
export function useForecast({ type, base, draft, problems }: Editing, workspaceId: string | undefined) {
  const run = dryRun(draft, workspaceId);
  const estimate = useDebouncedCall(estimateDestination, run.missing === null ? { body: run.body } : null);
  const refusals = estimate.error instanceof ApiError ? estimate.error.issues : [];
  const health = useQuery({
    ...query(getDestinationHealth, { params: { id: base?.id ?? "" } }),
    enabled: base !== null,
    refetchInterval: 15_000,
  });
  const incomplete = Object.keys(problems).some((path) => path.startsWith("config."));
  const refusedRule = refusals.find(({ path }) => path.startsWith("filter_rules"));
  const missing =
    run.missing ?? (refusedRule ? `correct ${ruleName(refusedRule.path, draft.filter_rules?.groups.length)}` : null);
  // what a call holds does not depend on the rules: privacy is previewed while they are written
  const settled = refusedRule ? { ...run.body, filter_rules: null } : run.body;
  const calls = useRecentCalls(settled);
  const preview = useDebouncedCall(
    previewDestination,
    incomplete
      ? null
      : {
          body: {
            ...(base && { id: base.id }),
            type,
            config: unsavedConfig(draft, base),
            ...(workspaceId !== undefined && { workspace_id: workspaceId }),
            ...unsavedSettings(draft),
            ...settled,
            ...(calls.current !== undefined && { generation_id: calls.current }),
          },
        },
  );
  // the same call as it is sent today, asked only where the edits change what a record holds
  const shown = preview.data?.data.generation_id;
  const saved = base && draftOf(base);
  const contentEdited = saved !== null && contents.some((member) => saved[member] !== draft[member]);
  const savedPreview = useDebouncedCall(
    previewDestination,
    contentEdited && preview.data?.data.real === true && base !== null
      ? {
          body: {
            id: base.id,
            type,
            config: {},
            workspace_id: base.workspace_id,
            ...unsavedSettings(saved),
            ...(shown !== undefined && { generation_id: shown }),
          },
        }
      : null,
  );
  return {
    /** what is shown, as the saved settings send it; undefined where nothing of it was edited */
    savedPreview:
      contentEdited && savedPreview.data?.data.generation_id === shown ? savedPreview.data?.data : undefined,
    estimate,
    /** what it refused in the settings, such as a pattern that does not compile */
    refusals,
    countsFailed: estimate.error !== null && refusals.length === 0,
    health,
    preview,
    /** what to do before it is known which calls come through; null where nothing is missing */
    missing,
    /** the connection is not filled in far enough to be shown */
    incomplete,
    nextCall: incomplete ? undefined : calls.next,
  };
}

export type Forecast = ReturnType<typeof useForecast>;
