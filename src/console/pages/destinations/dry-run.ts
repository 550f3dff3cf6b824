import type { TryDestinationBody } from "#contract/forwarding.ts";
import type { Draft } from "./draft.ts";
import { ruleProblems } from "./rules.ts";

export interface DryRun {
  /** what the gateway is asked to run over recent calls; what is not finished is left out of it and holds nothing back */
  body: TryDestinationBody;
  /** what to do before it says which calls come through: "finish rule 2"; null where nothing is missing */
  missing: string | null;
}

export function dryRun(draft: Draft, workspaceId: string | undefined): DryRun {
  const { api_key_hashes: hashes, filter_rules: rules, sampling_rate: rate } = draft;
  const [unfinished] = Object.keys(ruleProblems(rules));
  const hasKeys = hashes === null || hashes.length > 0;
  return {
    body: {
      ...(workspaceId !== undefined && { workspace_id: workspaceId }),
      api_key_hashes: hashes !== null && hasKeys ? [...hashes] : null,
      filter_rules: unfinished === undefined ? (rules as TryDestinationBody["filter_rules"]) : null,
      sampling_rate: rate ?? 1,
    },
    missing:
      unfinished !== undefined
        ? `finish ${ruleName(unfinished, rules?.groups.length)}`
        : !hasKeys
          ? "choose a key"
          : rate === null
            ? "enter the sampling rate"
            : null,
  };
}

/** "rule 2", or "rule 2 of group 3" where there are several groups, of a path of the API. */
export function ruleName(path: string, groups = 1): string {
  const [, group = 0, rule = 0] = (/groups\.(\d+)\.rules\.(\d+)/.exec(path) ?? []).map(Number);
  return groups > 1 ? `rule ${rule + 1} of group ${group + 1}` : `rule ${rule + 1}`;
}
