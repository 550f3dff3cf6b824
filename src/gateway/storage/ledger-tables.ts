import type { ColumnType, Generated } from "kysely";

/** A column that is written once and never changed. */
type Fixed<T> = ColumnType<T, T, never>;

/** Begins at 0. */
type Count = ColumnType<bigint, bigint | undefined>;

/**
 * Running counts of money in nano-dollars: one row per key (shared with its successors by rotation), one per workspace
 * (under the workspace's id) and one for the account. A period's counts apply only in the period that starts at the
 * instant next to them.
 */
export interface SpendsTable {
  id: Fixed<string>;
  total: Count;
  day: Count;
  week: Count;
  month: Count;
  byok_total: Count;
  byok_day: Count;
  byok_week: Count;
  byok_month: Count;
  /** what providers counted beyond what was charged; it counts toward limits all the same */
  overrun_total: Count;
  overrun_day: Count;
  overrun_week: Count;
  overrun_month: Count;
  byok_overrun_total: Count;
  byok_overrun_day: Count;
  byok_overrun_week: Count;
  byok_overrun_month: Count;
  day_start: Date;
  week_start: Date;
  month_start: Date;
  /** the sum of the leases that processes hold on it */
  reserved: Count;
}

/** A slice of a limit that one process may spend without asking; given back when it is idle, reclaimed when it expires. */
export interface LeasesTable {
  spend_id: Fixed<string>;
  process_id: Fixed<string>;
  amount: bigint;
  expires_at: Date;
  /** the limit was lowered: its free part is to be given back, and no longer counts */
  recalled: Generated<boolean>;
  /** since when its process has been seen without a lock; a live process clears it */
  absent_since: Generated<Date | null>;
}

/** Each key's spending per model, provider and UTC hour, added up as calls settle. */
export interface UsageHourlyTable {
  workspace_id: Fixed<string>;
  hour: Fixed<Date>;
  key_hash: Fixed<string>;
  model: Fixed<string>;
  provider: Fixed<string>;
  usage: bigint;
  byok_usage: bigint;
  saved: bigint;
  requests: bigint;
  failures: bigint;
  /** the failures that the provider is to blame for */
  provider_faults: bigint;
  prompt_tokens: bigint;
  completion_tokens: bigint;
  reasoning_tokens: bigint;
  /** of the prompt's tokens, those that vendors read from their caches */
  cached_tokens: Count;
  /** of the durable embedding cache: inputs, what they would have cost, and calls of which nothing else was sent */
  stored_inputs: Count;
  stored_saved: Count;
  stored_calls: Count;
  /** of the above, what reranks were */
  rerank_usage: Count;
  rerank_byok_usage: Count;
  rerank_requests: Count;
  rerank_prompt_tokens: Count;
}

/** A workspace's durable cache of vectors; one that has ended is deleted once its entries are. */
interface EmbeddingCachesTable {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  created_at: Fixed<Date>;
  ended_at: Date | null;
  bytes: Count;
  entries: Count;
}

/** The input and output of a call, sealed by the secret box, for workspaces that keep bodies. */
export interface GenerationContentsTable {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  created_at: Fixed<Date>;
  sealed: Fixed<string>;
}

/** What a management key said of a call; its comment is sealed by the secret box. */
export interface GenerationFeedbackTable {
  workspace_id: Fixed<string>;
  /** of the call */
  created_at: Fixed<Date>;
  id: Fixed<string>;
  key_hash: Fixed<string>;
  at: Date;
  author: string;
  category: string;
  sealed: string | null;
}

export interface WorkspaceBudgetsTable {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  interval: Fixed<"daily" | "weekly" | "monthly" | "lifetime">;
  limit_nano: bigint;
  created_at: Fixed<Date>;
  updated_at: Date;
}

/** Credits bought, or removed by a negative amount; the account's limit is their sum, if there are any. */
export interface CreditsTable {
  id: Fixed<string>;
  at: Fixed<Date>;
  amount: Fixed<bigint>;
  note: Fixed<string | null>;
}

/** Calls that were refused before they were made, by key, UTC minute, reason and status. */
export interface RefusedCallsTable {
  key_hash: Fixed<string>;
  minute: Fixed<Date>;
  /** what refused them: a limit's kind if there was one, else the error's type */
  reason: Fixed<string>;
  status: Fixed<number>;
  workspace_id: Fixed<string>;
  count: bigint;
  first_at: Date;
  last_at: Date;
  last_request_id: string;
  last_message: string;
  /** nano-dollars that the last call might have cost, and that were left; null: no money limit refused it */
  last_needed: bigint | null;
  last_remaining: bigint | null;
}

/** The sum of the ledger's deleted rows, for each counter that had any, and for the account. */
export interface LedgerClosingsTable {
  id: Fixed<string>;
  /** calls charged before this instant may be gone; on the account's row this holds for all of them */
  pruned_before: Date;
  calls: Count;
  total: Count;
  byok_total: Count;
  overrun_total: Count;
  byok_overrun_total: Count;
}

/** The tables of migrations 002, 013 and 015, but for the ledger itself: its columns are in domain/ledger/columns.ts. */
export interface LedgerTables {
  refused_calls: RefusedCallsTable;
  spends: SpendsTable;
  leases: LeasesTable;
  ledger_closings: LedgerClosingsTable;
  usage_hourly: UsageHourlyTable;
  embedding_caches: EmbeddingCachesTable;
  generation_contents: GenerationContentsTable;
  generation_feedback: GenerationFeedbackTable;
  workspace_budgets: WorkspaceBudgetsTable;
  credits: CreditsTable;
}
