import type { TryDestinationBody } from "#contract/forwarding.ts";
import type { Draft } from "./draft.ts";
import { ruleProblems } from "./rules.ts";

/** What the gateway is asked to run over recent calls; null while the settings are not complete enough to be run. */
export function dryRunBody(draft: Draft, workspaceId: string | undefined): TryDestinationBody | null {
  const { api_key_hashes: hashes, filter_rules: rules, sampling_rate: rate } = draft;
  if (hashes?.length === 0 || rate === null || Object.keys(ruleProblems(rules)).length > 0) return null;
  return {
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    api_key_hashes: hashes === null ? null : [...hashes],
    filter_rules: rules as TryDestinationBody["filter_rules"],
    sampling_rate: rate,
  };
}
