import { queryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { getDestination } from "#contract/destinations.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import { callPath, callTagged } from "../../api/call.ts";
import { queryKey } from "../../api/query.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";

/** A record with its version, which a change names so that nobody's is lost. */
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
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { id = "" } = useParams({ strict: false });
  return () => void navigate({ to: paths.destination(path, id) });
}
