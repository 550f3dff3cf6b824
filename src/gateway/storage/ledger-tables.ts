import type { ColumnType } from "kysely";

/** A column that is written once and never changed. */
type Fixed<T> = ColumnType<T, T, never>;

/**
 * Running counts of money in nano-dollars: one row for each key (shared with its successors by rotation), one for each
 * workspace (under the workspace's id) and one for the account. A period's figures count only in the period that
 * starts at the instant beside them.
 */
export interface SpendsTable {
  id: Fixed<string>;
  total: bigint;
  day: bigint;
  week: bigint;
  month: bigint;
  byok_total: bigint;
  byok_day: bigint;
  byok_week: bigint;
  byok_month: bigint;
  day_start: Date;
  week_start: Date;
  month_start: Date;
  /** the sum of the leases that processes hold on it */
  reserved: bigint;
}

/** A slice of a limit that one process may spend without asking; given back when it is idle, reclaimed when it expires. */
export interface LeasesTable {
  spend_id: Fixed<string>;
  process_id: Fixed<string>;
  amount: bigint;
  expires_at: Date;
}

/** One finished model call. Append-only: no statement updates or deletes a row. */
export interface LedgerTable {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  /** when the call began; the generation id holds the same instant */
  created_at: Fixed<Date>;
  /** when it was charged: the instant that decides which day, week and month it counts in */
  settled_at: Fixed<Date>;
  key_hash: Fixed<string>;
  spend_id: Fixed<string>;
  api_type: Fixed<"embeddings" | "completions">;
  model: Fixed<string>;
  provider: Fixed<string>;
  /** the status that the caller got */
  status: Fixed<number>;
  error_type: Fixed<string | null>;
  prompt_tokens: Fixed<number>;
  completion_tokens: Fixed<number>;
  reasoning_tokens: Fixed<number>;
  cached_tokens: Fixed<number>;
  /** who counted the tokens */
  metered_by: Fixed<"upstream" | "gateway">;
  /** false: the model had no price, and the cost is 0 for that reason alone */
  priced: Fixed<boolean>;
  byok: Fixed<boolean>;
  /** charged to the limits, nano-dollars */
  cost: Fixed<bigint>;
  /** what the vendor charges the caller's own vendor key, nano-dollars; 0 unless byok */
  byok_cost: Fixed<bigint>;
  /** what the vendor's count came to beyond the reservation and beyond the limit's room; not charged, nano-dollars */
  overrun: Fixed<bigint>;
  /** what cached and repeated inputs would have cost, nano-dollars */
  saved: Fixed<bigint>;
  /** vectors asked for, and those of them that needed no upstream */
  inputs: Fixed<number>;
  cached_inputs: Fixed<number>;
  /** to the upstream's first byte, and to the end, milliseconds */
  latency_ms: Fixed<number | null>;
  duration_ms: Fixed<number>;
  streamed: Fixed<boolean>;
  cancelled: Fixed<boolean>;
  finish_reason: Fixed<string | null>;
  native_finish_reason: Fixed<string | null>;
  upstream_id: Fixed<string | null>;
  attempts: ColumnType<unknown[], string, never>;
  http_referer: Fixed<string | null>;
  app_title: Fixed<string | null>;
  user_agent: Fixed<string | null>;
  external_user: Fixed<string | null>;
  session_id: Fixed<string | null>;
  trace: ColumnType<Record<string, unknown> | null, string | null, never>;
  request_id: Fixed<string | null>;
  /** its place: the writing transaction (xid8, as text), then the order within */
  xact: ColumnType<string, never, never>;
  seq: ColumnType<bigint, never, never>;
}

/** What each key spent at each model of each provider in each UTC hour, added up as calls settle. */
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
  prompt_tokens: bigint;
  completion_tokens: bigint;
  reasoning_tokens: bigint;
}

/** The input and output of a call, sealed by the secret box; where the workspace keeps bodies. */
export interface GenerationContentsTable {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  created_at: Fixed<Date>;
  sealed: Fixed<string>;
}

export interface WorkspaceBudgetsTable {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  interval: Fixed<"daily" | "weekly" | "monthly" | "lifetime">;
  limit_nano: bigint;
  created_at: Fixed<Date>;
  updated_at: Date;
}

/** Credits bought, or taken away by a negative amount; the account's limit is their sum, if there is any. */
export interface CreditsTable {
  id: Fixed<string>;
  at: Fixed<Date>;
  amount: Fixed<bigint>;
  note: Fixed<string | null>;
}

/** The tables of migration 002. */
export interface LedgerTables {
  spends: SpendsTable;
  leases: LeasesTable;
  ledger: LedgerTable;
  usage_hourly: UsageHourlyTable;
  generation_contents: GenerationContentsTable;
  workspace_budgets: WorkspaceBudgetsTable;
  credits: CreditsTable;
}
