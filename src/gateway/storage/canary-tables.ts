import type { ColumnType } from "kysely";
import type { CanaryRun, DriftReason } from "#contract/canaries.ts";

type Fixed<T> = ColumnType<T, T, never>;

/** A canary, what is known of its vectors, and which process runs it. */
export interface CanariesTable {
  id: Fixed<string>;
  provider: Fixed<string>;
  model: Fixed<string>;
  workspace_id: string;
  every_hours: number;
  created_at: Fixed<Date>;
  created_by: Fixed<string | null>;
  /** the vectors of the texts one after another, little-endian float32 of unit length; null: not measured yet */
  baseline: Buffer | null;
  baseline_space: string | null;
  baseline_at: Date | null;
  noise: number | null;
  /** the next run measures a baseline */
  measure: boolean;
  /** the last run found otherwise than what is reported */
  suspected: boolean;
  drift_since: Date | null;
  drift_reason: DriftReason | null;
  drift_distance: number | null;
  drift_space: string | null;
  failures: number;
  next_run_at: Date;
  /** of the run under way: what it found counts only while the claim is still its own */
  claim: string | null;
  claimed_until: Date | null;
}

export interface CanaryRunsTable {
  id: Fixed<string>;
  canary_id: Fixed<string>;
  at: Fixed<Date>;
  outcome: Fixed<CanaryRun["outcome"]>;
  reason: Fixed<DriftReason | null>;
  distance: Fixed<number | null>;
  threshold: Fixed<number | null>;
  space: Fixed<string | null>;
  message: Fixed<string | null>;
  generation_id: Fixed<string | null>;
}

/** A row for each endpoint whose vectors have changed behind its name. It outlives the canary that found it. */
export interface VectorsSinceTable {
  provider: Fixed<string>;
  model: Fixed<string>;
  /** cached vectors from before are not used */
  since: Date;
}

/** The tables of migrations 024 and 055. */
export interface CanaryTables {
  canaries: CanariesTable;
  canary_runs: CanaryRunsTable;
  vectors_since: VectorsSinceTable;
}
