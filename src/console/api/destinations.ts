import { queryOptions } from "@tanstack/react-query";
import type { DestinationRecord } from "#contract/destinations.ts";
import type { DestinationHealth } from "#contract/forwarding.ts";

/**
 * Every destination of a workspace (or of `all`), newest first. The contract of destinations is fetched with the first
 * read: the sidebar counts them on every page, and no page has to load their schemas for that.
 */
export const everyDestination = (workspaceId: string) =>
  queryOptions<DestinationRecord[]>({
    queryKey: ["listDestinations", workspaceId, "every"],
    queryFn: async ({ signal }) => (await import("./read-destinations.ts")).readDestinations(workspaceId, signal),
    meta: { path: `/observability/destinations?workspace_id=${workspaceId}` },
  });

const healthEveryMs = 15_000;

/** How delivery goes, destination by destination; renewed by itself. */
export const destinationHealth = (workspaceId: string) =>
  queryOptions<DestinationHealth[]>({
    queryKey: ["listDestinationHealth", workspaceId],
    queryFn: async ({ signal }) => (await import("./read-destinations.ts")).readHealth(workspaceId, signal),
    refetchInterval: healthEveryMs,
    meta: { path: `/observability/health?workspace_id=${workspaceId}` },
  });
