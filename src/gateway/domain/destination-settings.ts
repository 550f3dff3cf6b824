import type { Selectable } from "kysely";
import type { FilterRules } from "#contract/destinations.ts";
import type { DestinationsTable } from "../storage/destination-tables.ts";
import type { PipelineSettings } from "./destination-pipeline.ts";

type Row = Pick<
  Selectable<DestinationsTable>,
  | "enabled"
  | "api_key_hashes"
  | "filter_rules"
  | "sampling_rate"
  | "privacy_mode"
  | "broadcast_cost"
  | "broadcast_identity"
  | "broadcast_request_context"
>;

/** What decides on a destination's events, from its row. */
export function settingsOf(row: Row): PipelineSettings {
  return {
    enabled: row.enabled,
    apiKeyHashes: row.api_key_hashes,
    filterRules: row.filter_rules as FilterRules | null,
    samplingRate: row.sampling_rate,
    privacyMode: row.privacy_mode,
    broadcast: {
      cost: row.broadcast_cost,
      identity: row.broadcast_identity,
      requestContext: row.broadcast_request_context,
    },
  };
}

/** Whether a rule looks into the bodies, so that they have to be read before it is decided. */
export function readsBodies({ filterRules }: Pick<PipelineSettings, "filterRules">): boolean {
  if (!filterRules || filterRules.enabled === false) return false;
  return filterRules.groups.some(({ rules }) => rules.some(({ field }) => field === "input" || field === "output"));
}
