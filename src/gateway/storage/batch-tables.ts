import type { BatchStatus } from "#contract/batches.ts";
import type { Fixed } from "./columns.ts";

/** A batch of model calls. */
export interface BatchesTable {
  workspace_id: Fixed<string>;
  created_at: Fixed<Date>;
  id: Fixed<string>;
  /** whose dialect it was sent in */
  form: Fixed<"public" | "messages">;
  key_hash: Fixed<string>;
  spend_id: Fixed<string>;
  endpoint: Fixed<string>;
  /** null: each request names its own */
  model: Fixed<string | null>;
  /** `receiving`: its requests are still being sent; `deleted`: what is left of it is about to go */
  status: BatchStatus | "receiving" | "deleted";
  /** the key that its requests and results are encrypted with, and its headers */
  sealed: string;
  /** that it takes in the store, about: requests and results as they are stored, and their rows */
  bytes: bigint;
  total: number;
  completed: number;
  failed: number;
  cancelled: number;
  expired: number;
  prompt_tokens: bigint;
  completion_tokens: bigint;
  /** why it failed as a whole */
  error: string | null;
  /** when a request of it was last begun, by the store's clock */
  served_at: Date | null;
  expires_at: Fixed<Date>;
  cancelled_at: Date | null;
  ended_at: Date | null;
}

export interface BatchRequestsTable {
  workspace_id: Fixed<string>;
  created_at: Fixed<Date>;
  batch_id: Fixed<string>;
  n: Fixed<number>;
  state: "queued" | "running" | "completed" | "failed" | "cancelled" | "expired";
  /** encrypted; null: it has its result */
  request: Buffer | null;
  /** encrypted */
  result: Buffer | null;
  /** of the call that was begun last */
  request_id: string | null;
  tries: number;
  due_at: Date;
  /** another process leaves it alone until then, by the store's clock */
  claimed_until: Date | null;
}

/** What all batches of a workspace take: the sum of their `bytes`, moved in the same statements. */
interface BatchSpaceTable {
  workspace_id: Fixed<string>;
  bytes: bigint;
}

/** The tables of migrations 040 and 047. */
export interface BatchTables {
  batch_space: BatchSpaceTable;
  batches: BatchesTable;
  batch_requests: BatchRequestsTable;
}
