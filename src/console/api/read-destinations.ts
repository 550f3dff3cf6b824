import { listDestinations, type DestinationRecord } from "#contract/destinations.ts";
import { listDestinationHealth, type DestinationHealth } from "#contract/forwarding.ts";
import { call } from "./call.ts";
import { readByOffset } from "./read-pages.ts";

/** Reads the list page by page; there are at most 85 in one workspace. */
export async function readDestinations(workspaceId: string, signal: AbortSignal): Promise<DestinationRecord[]> {
  const query = { workspace_id: workspaceId };
  return (await readByOffset((at) => call(listDestinations, { query: { ...query, ...at } }, { signal }))).rows;
}

export async function readHealth(workspaceId: string, signal: AbortSignal): Promise<DestinationHealth[]> {
  return (await call(listDestinationHealth, { query: { workspace_id: workspaceId } }, { signal })).data;
}
