import { useQuery } from "@tanstack/react-query";
import { estimateDestination, getDestinationHealth, previewDestination } from "#contract/forwarding.ts";
import { ApiError } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { unsavedConfig, unsavedSettings } from "./draft.ts";
import type { Editing } from "./editor.ts";
import { tryBody } from "./try-body.ts";
import { useAsked } from "./use-asked.ts";
import { useRecentCalls } from "./use-recent-calls.ts";

/**
 * What the gateway says about the unsaved settings: how many calls come through, what one of them would look like, and
 * how delivery goes as it is stored. Each part fails alone, and none holds up the form.
 */
export function useForecast({ type, base, draft, problems }: Editing, workspaceId: string | undefined) {
  const tried = tryBody(draft, workspaceId);
  const estimate = useAsked(estimateDestination, tried && { body: tried });
  const refusals = estimate.error instanceof ApiError ? estimate.error.issues : [];
  const health = useQuery({
    ...query(getDestinationHealth, { params: { id: base?.id ?? "" } }),
    enabled: base !== null,
    refetchInterval: 15_000,
  });
  const incomplete = Object.keys(problems).some((path) => path.startsWith("config."));
  const calls = useRecentCalls(tried);
  const preview = useAsked(
    previewDestination,
    incomplete || tried === null
      ? null
      : {
          body: {
            ...(base && { id: base.id }),
            type,
            config: unsavedConfig(draft, base),
            ...(workspaceId !== undefined && { workspace_id: workspaceId }),
            ...unsavedSettings(draft),
            ...(calls.current !== undefined && { generation_id: calls.current }),
          },
        },
  );
  return {
    estimate,
    /** what it refused in the settings, such as a pattern that does not compile */
    refusals,
    countsFailed: estimate.error !== null && refusals.length === 0,
    health,
    preview,
    /** the connection is not filled in far enough to be shown */
    incomplete,
    nextCall: incomplete ? undefined : calls.next,
  };
}
