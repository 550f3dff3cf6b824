import type { FilterAction } from "#contract/content-filter-match.ts";
import type { BuiltinSlug, GuardrailRecord, ZdrGroup } from "#contract/guardrails.ts";
import type { LimitReset } from "#contract/time.ts";
import { counted, formatUsd } from "../format.ts";

/** The makers of models for whom zero data retention can be required, and everybody else. */
export const zdrNames: Readonly<Record<ZdrGroup, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google",
  xai: "xAI",
  other: "all others",
};
export const zdrGroups = Object.keys(zdrNames) as ZdrGroup[];

/** For whose models a guardrail requires that a provider retains nothing. */
export function zdrOf(guardrail: GuardrailRecord): ZdrGroup[] {
  return zdrGroups.filter((group) => guardrail[`enforce_zdr_${group}`] === true);
}

export const builtinNames: Readonly<Record<BuiltinSlug, string>> = {
  email: "Email addresses",
  phone: "Phone numbers",
  ssn: "US social security numbers",
  "credit-card": "Credit card numbers",
  "ip-address": "IP addresses",
  "regex-prompt-injection": "Prompt injection",
  "person-name": "Names of people",
  address: "Postal addresses",
};

export const actionWords: Readonly<Record<FilterAction, string>> = { block: "Block", redact: "Redact", flag: "Flag" };

const periods: Readonly<Record<LimitReset, string>> = { daily: "day", weekly: "week", monthly: "month" };

/** "$5 a day": what one key, or one creator, may spend. */
export function budgetPhrase({ limit_usd: limit, reset_interval: reset }: GuardrailRecord): string | null {
  if (limit === null) return null;
  return reset === null ? formatUsd(limit) : `${formatUsd(limit)} a ${periods[reset]}`;
}

/** How many filters a guardrail has of either kind. */
export function filterCount({ content_filters: own, content_filter_builtins: builtins }: GuardrailRecord): number {
  return (own?.length ?? 0) + (builtins?.length ?? 0);
}

/** What a guardrail does, in a few words each: "3 models", "2 providers", "$5 a day per key", "2 filters". */
export function guardrailSummary(guardrail: GuardrailRecord): string[] {
  const budget = budgetPhrase(guardrail);
  const filters = filterCount(guardrail);
  return [
    ...listWords("model", guardrail.allowed_models, guardrail.ignored_models),
    ...listWords("provider", guardrail.allowed_providers, guardrail.ignored_providers),
    ...privacyWords(guardrail),
    ...(budget === null ? [] : [`${budget} per key`]),
    ...(filters === 0 ? [] : [counted(filters, "filter")]),
  ];
}

function listWords(noun: string, allowed: readonly string[] | null, ignored: readonly string[] | null): string[] {
  return [
    ...(allowed === null ? [] : [counted(allowed.length, noun)]),
    ...(ignored === null ? [] : [`${counted(ignored.length, noun)} excluded`]),
  ];
}

function privacyWords(guardrail: GuardrailRecord): string[] {
  const groups = zdrOf(guardrail);
  const training = [guardrail.enable_paid_model_training, guardrail.enable_free_model_training];
  return [
    ...(groups.length === 0
      ? []
      : [groups.length === zdrGroups.length ? "zero retention" : `zero retention for ${groupList(groups)}`]),
    ...(training.includes(false) ? ["no training"] : []),
    ...(guardrail.enable_free_model_publication === false ? ["no publication"] : []),
  ];
}

/** "OpenAI, Google and all others". */
export function groupList(groups: readonly ZdrGroup[]): string {
  const names = groups.map((group) => zdrNames[group]);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
