import { listDestinations, type DestinationRecord } from "#contract/destinations.ts";
import { listDestinationHealth, type DestinationHealth } from "#contract/forwarding.ts";
import { call } from "./call.ts";

const pageSize = 100;

/** Reads the list page by page; there are at most 85 in one workspace. */
export async function readDestinations(workspaceId: string, signal: AbortSignal): Promise<DestinationRecord[]> {
  const found: DestinationRecord[] = [];
  for (;;) {
    const { data, total_count } = await call(
      listDestinations,
      { query: { workspace_id: workspaceId, limit: String(pageSize), offset: String(found.length) } },
      { signal },
    );
    found.push(...data);
    if (data.length === 0 || found.length >= total_count) return found;
  }
}

export async function readHealth(workspaceId: string, signal: AbortSignal): Promise<DestinationHealth[]> {
  return (await call(listDestinationHealth, { query: { workspace_id: workspaceId } }, { signal })).data;
}
