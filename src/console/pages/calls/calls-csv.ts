import type { CallEntry } from "#contract/call-list.ts";
import type { CallRecord } from "#contract/calls.ts";
import type { CsvValue } from "../../csv.ts";

const members = [
  "id",
  "request_id",
  "workspace_id",
  "key_hash",
  "key_name",
  "api_type",
  "model",
  "provider",
  "status",
  "error_type",
  "prompt_tokens",
  "completion_tokens",
  "reasoning_tokens",
  "cached_tokens",
  "cache_write_tokens",
  "inputs",
  "cached_inputs",
  "response_cache_source_id",
  "unit",
  "units",
  "metered_by",
  "priced",
  "is_byok",
  "cost",
  "byok_cost",
  "saved",
  "latency_ms",
  "duration_ms",
  "streamed",
  "cancelled",
  "finish_reason",
  "upstream_id",
  "batch_id",
  "session_id",
  "preset",
  "preset_version",
  "external_user",
  "app_title",
  "http_referer",
  "user_agent",
] as const satisfies readonly (keyof CallRecord)[];

export const callsCsvHeader: readonly string[] = ["created_at", ...members, "content_filters", "refused_calls"];

/** A call as a record of the file, under the API's own names; refused ones with how many they were, in the last column. */
export function callsCsvRow(entry: CallEntry): CsvValue[] {
  if (entry.kind === "call") {
    const { call } = entry;
    return [new Date(call.created_at), ...members.map((member) => call[member]), filterMatches(call), null];
  }
  const { refused } = entry;
  const known: Partial<Record<(typeof members)[number], CsvValue>> = {
    request_id: refused.last_request_id,
    workspace_id: refused.workspace_id,
    key_hash: refused.key_hash,
    key_name: refused.key_name,
    status: refused.status,
    error_type: refused.reason,
  };
  return [new Date(refused.first_at), ...members.map((member) => known[member] ?? null), null, refused.count];
}

/** `EMAIL redact 2; FALCON flag 1` */
function filterMatches({ content_filters: matches }: CallRecord): CsvValue {
  return matches?.map(({ label, action, count }) => `${label} ${action} ${count}`).join("; ") ?? null;
}
