import type { Selectable } from "kysely";
import type { CallRecord } from "#contract/calls.ts";
import { toUsd } from "#contract/money.ts";
import type { LedgerTable } from "../ledger/columns.ts";

/** A row of the ledger, with what is known of its key and its provider, which may be gone. */
export type CallRow = Selectable<LedgerTable> &
  Pick<CallRecord, "key_name" | "key_purpose"> & { provider_name: string | null };

/** A row in the API's form. Most of it passes through; what the contract does not declare is dropped on the way out. */
export function callRecord(row: CallRow): CallRecord {
  const provider = row.provider === "" ? null : row.provider;
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    provider,
    provider_name: row.provider_name ?? provider,
    attempts: [...row.attempts],
    content_filters: row.content_filters === null ? null : [...row.content_filters],
    is_byok: row.byok,
    cost: toUsd(row.cost),
    byok_cost: toUsd(row.byok_cost),
    overrun: toUsd(row.overrun),
    saved: toUsd(row.saved),
  };
}
