import { useQuery } from "@tanstack/react-query";
import { minuteMs } from "#contract/time.ts";

const none: readonly string[] = [];

/** What a field of a rule held in recent calls: suggestions, never the only choices. Fetched with the first rule. */
export function useSeenValues(workspaceId: string | undefined, wanted: boolean): (field: string) => readonly string[] {
  const { data } = useQuery({
    queryKey: ["listGenerations", workspaceId, "values"],
    queryFn: async ({ signal }) => (await import("./read-seen-values.ts")).readSeenValues(workspaceId ?? "", signal),
    enabled: wanted && workspaceId !== undefined,
    staleTime: minuteMs,
  });
  return (field) => data?.[field] ?? none;
}
