import { listGenerations, type CallRecord } from "#contract/calls.ts";
import { call } from "../../api/call.ts";

const from: Readonly<Record<string, (seen: CallRecord) => string | null>> = {
  model: ({ model }) => model,
  provider: ({ provider }) => provider,
  api_key_name: ({ key_name }) => key_name,
  session_id: ({ session_id }) => session_id,
  user_id: ({ external_user }) => external_user,
  finish_reason: ({ finish_reason }) => finish_reason,
};

const most = 20;

/** What the fields of rules held in the last hundred calls, the most frequent first. */
export async function readSeenValues(
  workspaceId: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { data } = await call(listGenerations, { query: { workspace_id: workspaceId, limit: "100" } }, { signal });
  return Object.fromEntries(Object.entries(from).map(([field, read]) => [field, frequent(data.map(read))]));
}

function frequent(values: readonly (string | null)[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([value]) => value);
}
