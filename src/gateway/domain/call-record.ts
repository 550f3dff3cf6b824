import type { Selectable } from "kysely";
import type { CallRecord } from "#contract/calls.ts";
import { toUsd } from "#contract/money.ts";
import type { LedgerTable } from "../storage/ledger-tables.ts";
import type { Attempt } from "./ledger-entry.ts";

/** A row of the ledger, with the names of what it refers to where they are still there. */
export type CallRow = Selectable<LedgerTable> & { key_name: string | null; provider_name: string | null };

export function callRecord(row: CallRow): CallRecord {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    workspace_id: row.workspace_id,
    key_hash: row.key_hash,
    key_name: row.key_name,
    api_type: row.api_type,
    model: row.model,
    provider: row.provider === "" ? null : row.provider,
    provider_name: row.provider_name ?? (row.provider === "" ? null : row.provider),
    status: row.status,
    error_type: row.error_type,
    attempts: row.attempts as Attempt[],
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    reasoning_tokens: row.reasoning_tokens,
    cached_tokens: row.cached_tokens,
    inputs: row.inputs,
    cached_inputs: row.cached_inputs,
    metered_by: row.metered_by,
    priced: row.priced,
    is_byok: row.byok,
    cost: toUsd(row.cost),
    byok_cost: toUsd(row.byok_cost),
    overrun: toUsd(row.overrun),
    saved: toUsd(row.saved),
    latency_ms: row.latency_ms,
    duration_ms: row.duration_ms,
    streamed: row.streamed,
    cancelled: row.cancelled,
    finish_reason: row.finish_reason,
    upstream_id: row.upstream_id,
    request_id: row.request_id,
    session_id: row.session_id,
    external_user: row.external_user,
    http_referer: row.http_referer,
    app_title: row.app_title,
    user_agent: row.user_agent,
  };
}
