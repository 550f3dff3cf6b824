import { queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { getDestination, type DestinationRecord } from "#contract/destinations.ts";
import { callPath, callTagged } from "../../api/call.ts";
import { queryKey } from "../../api/query.ts";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";

/** A record with its version, which a change names so that nobody else's change is lost. */
export interface Versioned {
  record: DestinationRecord;
  etag: string | null;
}

export const destinationQuery = (id: string) =>
  queryOptions<Versioned>({
    queryKey: queryKey(getDestination, { params: { id } }),
    queryFn: async ({ signal }) => {
      const { answer, etag } = await callTagged(getDestination, { params: { id } }, { signal });
      return { record: answer.data, etag };
    },
    // the editor has to notice what somebody else changes meanwhile
    staleTime: 0,
    refetchInterval: 15_000,
    meta: { path: callPath(getDestination, { params: { id } }) },
  });

/** The destination that the address names. */
export function useDestination() {
  const { id = "" } = useParams({ strict: false });
  return useQuery(destinationQuery(id));
}

/** Back to the destination's own page. */
export function useCloseToDestination(): () => void {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const { id = "" } = useParams({ strict: false });
  return () => closePanel(paths.destination(path, id));
}
