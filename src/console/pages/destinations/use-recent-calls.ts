import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tryDestination } from "#contract/forwarding.ts";
import { call } from "../../api/call.ts";

export interface RecentCalls {
  /** the call to show; undefined: the latest one, whichever it is then */
  current: string | undefined;
  /** shows the one before; undefined where there is none */
  next: (() => void) | undefined;
}

/** Steps back through the last calls of a workspace, and from the oldest to the latest again. */
export function useRecentCalls(workspaceId: string | undefined): RecentCalls {
  const [place, setPlace] = useState(0);
  const { data = [] } = useQuery({
    queryKey: [tryDestination.name, workspaceId],
    queryFn: ({ signal }) =>
      call(tryDestination, { body: workspaceId === undefined ? {} : { workspace_id: workspaceId } }, { signal }),
    select: ({ data: calls }) => calls.map(({ generation_id: id }) => id),
  });
  return {
    current: place === 0 ? undefined : data[place],
    next: data.length > 1 ? () => setPlace((before) => (before + 1) % data.length) : undefined,
  };
}
