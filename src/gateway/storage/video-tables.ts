import type { VideoStatus } from "#contract/videos.ts";
import type { ModelPricing } from "#contract/providers.ts";
import type { Fixed, Json } from "./columns.ts";

/** A video that is being made, or was. */
export interface VideoJobsTable {
  workspace_id: Fixed<string>;
  created_at: Fixed<Date>;
  id: Fixed<string>;
  key_hash: Fixed<string>;
  spend_id: Fixed<string>;
  model: Fixed<string>;
  provider: string;
  /** the workspace's own provider key; null: the shared one */
  byok_id: string | null;
  /** the provider's name of the job; null: it is not known whether the provider has it */
  upstream_id: string | null;
  status: VideoStatus;
  /** what the ledger records of the call */
  call: Json<Record<string, unknown>>;
  /** of the model when the call was priced */
  pricing: Json<ModelPricing | null>;
  /** the body to keep, until the call is on the ledger: sealed by the secret box */
  sealed: string | null;
  /** the API's address from outside; empty: only callers know it */
  api_url: Fixed<string>;
  /** a limit counts the call */
  limited: boolean;
  spend_ids: string[];
  reserved: bigint;
  /** where the videos are: sealed by the secret box, since the addresses may be signed */
  result: string | null;
  error: string | null;
  /** nano-dollars; null: the job has not ended */
  cost: bigint | null;
  poll_at: Date;
  polled_at: Date | null;
  failures: number;
  expires_at: Fixed<Date>;
  ended_at: Date | null;
  /** another process leaves it alone until then, by the store's clock */
  claimed_until: Date | null;
  /** sealed by the secret box; null: nobody is told */
  callback_url: string | null;
  /** when to tell next; null: nobody is to be told, or has been */
  callback_at: Date | null;
  callback_tries: number;
}

/** Where a workspace is told of its videos. */
export interface VideoWebhooksTable {
  workspace_id: Fixed<string>;
  /** sealed by the secret box, as the secret is: an address may have a token in it */
  url: string | null;
  secret: string | null;
  secret_label: string | null;
  secret_created_at: Date | null;
  updated_at: Date;
}

/** The tables of migrations 033 and 034. */
export interface VideoTables {
  video_jobs: VideoJobsTable;
  video_webhooks: VideoWebhooksTable;
}
