import type { UseFormReturn } from "react-hook-form";
import type { FilterAction } from "#contract/content-filter-match.ts";
import {
  type BuiltinFilter,
  type BuiltinSlug,
  type ContentFilter,
  type GuardrailRecord,
  mostContentFilters,
  type UpdateGuardrailBody,
  type ZdrGroup,
} from "#contract/guardrails.ts";
import type { LimitReset } from "#contract/time.ts";
import { changedMembers } from "../../form/changes.ts";
import type { FieldProblems } from "../../form/problems.ts";
import { parseUsd, usdText } from "../../form/usd.ts";
import { actionWords, budgetPhrase, builtinNames, groupList, zdrGroups, zdrOf } from "../../api/guardrail-words.ts";

/** The built-in kinds that the form offers, in its order. */
export const offeredBuiltins = [
  "email",
  "phone",
  "ssn",
  "credit-card",
  "ip-address",
  "regex-prompt-injection",
] as const satisfies readonly BuiltinSlug[];
export const injection = "regex-prompt-injection";

/** A pattern of one's own, as typed. */
export interface PatternValues {
  pattern: string;
  label: string;
  action: FilterAction;
}

/** What the form of a guardrail holds; an empty list is no rule. */
export interface GuardrailValues {
  name: string;
  description: string;
  /** of the keys that it can be assigned to, chosen as it is created; empty: the default one */
  workspaceId: string;
  allowedModels: string[];
  ignoredModels: string[];
  allowedProviders: string[];
  ignoredProviders: string[];
  zdr: ZdrGroup[];
  /** true: only providers that do not */
  noPaidTraining: boolean;
  noFreeTraining: boolean;
  noFreePublication: boolean;
  limited: "no" | "yes";
  limit: string;
  reset: LimitReset;
  countByok: boolean;
  /** those with an action */
  builtins: Partial<Record<BuiltinSlug, FilterAction>>;
  injectionScope: NonNullable<BuiltinFilter["scan_scope"]>;
  patterns: PatternValues[];
}

export type GuardrailForm = UseFormReturn<GuardrailValues>;

const places = Array.from({ length: mostContentFilters }, (_, place) => place);

export const guardrailLabels = {
  name: "Name",
  description: "Description",
  workspaceId: "Workspace",
  allowedModels: "Allowed models",
  ignoredModels: "Excluded models",
  allowedProviders: "Allowed providers",
  ignoredProviders: "Excluded providers",
  zdr: "Zero data retention",
  noPaidTraining: "Training",
  noFreeTraining: "Training",
  noFreePublication: "Publication",
  limit: "Budget",
  reset: "Reset",
  countByok: "BYOK",
  builtins: "Built-in filters",
  patterns: "Patterns",
  ...(Object.fromEntries(
    places.flatMap((place) => [
      [`patterns.${place}.pattern`, `Pattern ${place + 1}`],
      [`patterns.${place}.label`, `Label of pattern ${place + 1}`],
    ]),
  ) as Record<string, string>),
};

/** Where a member of the API has another name in the form. */
export const guardrailFieldOf: Readonly<Record<string, string>> = {
  workspace_id: "workspaceId",
  allowed_models: "allowedModels",
  ignored_models: "ignoredModels",
  allowed_providers: "allowedProviders",
  ignored_providers: "ignoredProviders",
  ...Object.fromEntries(zdrGroups.map((group) => [`enforce_zdr_${group}`, "zdr"])),
  enable_paid_model_training: "noPaidTraining",
  enable_free_model_training: "noFreeTraining",
  enable_free_model_publication: "noFreePublication",
  limit_usd: "limit",
  reset_interval: "reset",
  include_byok_in_budgets: "countByok",
  content_filter_builtins: "builtins",
  content_filters: "patterns",
  ...Object.fromEntries(
    places.flatMap((place) =>
      ["pattern", "label"].map((member) => [`content_filters.${place}.${member}`, `patterns.${place}.${member}`]),
    ),
  ),
};

export const emptyPattern: PatternValues = { pattern: "", label: "", action: "redact" };

export const emptyGuardrail: GuardrailValues = {
  name: "",
  description: "",
  workspaceId: "",
  allowedModels: [],
  ignoredModels: [],
  allowedProviders: [],
  ignoredProviders: [],
  zdr: [],
  noPaidTraining: false,
  noFreeTraining: false,
  noFreePublication: false,
  limited: "no",
  limit: "",
  reset: "monthly",
  countByok: false,
  builtins: {},
  injectionScope: "all_messages",
  patterns: [],
};

/** A stored guardrail as its form holds it. */
export function guardrailForm(stored: GuardrailRecord): GuardrailValues {
  const builtins = stored.content_filter_builtins ?? [];
  return {
    name: stored.name,
    description: stored.description ?? "",
    workspaceId: stored.workspace_id ?? "",
    allowedModels: [...(stored.allowed_models ?? [])],
    ignoredModels: [...(stored.ignored_models ?? [])],
    allowedProviders: [...(stored.allowed_providers ?? [])],
    ignoredProviders: [...(stored.ignored_providers ?? [])],
    zdr: zdrOf(stored),
    noPaidTraining: stored.enable_paid_model_training === false,
    noFreeTraining: stored.enable_free_model_training === false,
    noFreePublication: stored.enable_free_model_publication === false,
    limited: stored.limit_usd === null ? "no" : "yes",
    limit: stored.limit_usd === null ? "" : usdText(stored.limit_usd),
    reset: stored.reset_interval ?? "monthly",
    countByok: stored.include_byok_in_budgets,
    builtins: Object.fromEntries(builtins.map(({ slug, action }) => [slug, action])),
    injectionScope: builtins.find(({ slug }) => slug === injection)?.scan_scope ?? "all_messages",
    patterns: (stored.content_filters ?? []).map(({ pattern, label, action }) => ({
      pattern,
      label: label ?? "",
      action,
    })),
  };
}

/** Everything that the form says, for a creation; what is not set is left out. */
export function guardrailBody(values: GuardrailValues) {
  const { name, ...members } = settingsOf(values);
  const set = Object.entries(members).filter(([, value]) => value !== null && value !== false);
  // whether training is allowed is said by `false`
  const flags = Object.entries(members).filter(([member, value]) => member.startsWith("enable_") && value === false);
  return { name, ...Object.fromEntries([...set, ...flags]) } as ReturnType<typeof settingsOf>;
}

/** Only the members that differ from the stored record. */
export function guardrailChanges(stored: GuardrailRecord, values: GuardrailValues): UpdateGuardrailBody {
  return changedMembers(settingsOf(guardrailForm(stored)), settingsOf(values));
}

function settingsOf(values: GuardrailValues) {
  const amount = values.limited === "yes" ? parseUsd(values.limit) : null;
  const usd = amount && "usd" in amount ? amount.usd : null;
  const zdr = (group: ZdrGroup) => (values.zdr.includes(group) ? true : null);
  return {
    name: values.name.trim(),
    description: values.description.trim() === "" ? null : values.description.trim(),
    allowed_models: listOf(values.allowedModels),
    ignored_models: listOf(values.ignoredModels),
    allowed_providers: listOf(values.allowedProviders),
    ignored_providers: listOf(values.ignoredProviders),
    enforce_zdr_openai: zdr("openai"),
    enforce_zdr_anthropic: zdr("anthropic"),
    enforce_zdr_google: zdr("google"),
    enforce_zdr_xai: zdr("xai"),
    enforce_zdr_other: zdr("other"),
    enable_paid_model_training: values.noPaidTraining ? false : null,
    enable_free_model_training: values.noFreeTraining ? false : null,
    enable_free_model_publication: values.noFreePublication ? false : null,
    limit_usd: usd,
    reset_interval: usd === null ? null : values.reset,
    include_byok_in_budgets: usd !== null && values.countByok,
    content_filter_builtins: listOf(builtinsOf(values)),
    content_filters: listOf(patternsOf(values)),
  };
}

const listOf = <T>(values: readonly T[]): T[] | null => (values.length === 0 ? null : [...values]);

/** The built-in filters that have an action, as endpoints take them. */
export function builtinsOf({ builtins, injectionScope }: Pick<GuardrailValues, "builtins" | "injectionScope">) {
  return (Object.entries(builtins) as [BuiltinSlug, FilterAction][]).map(([slug, action]): BuiltinFilter => ({
    slug,
    action,
    ...(slug === injection && { scan_scope: injectionScope }),
  }));
}

/** The patterns, as endpoints take them. */
export function patternsOf({ patterns }: Pick<GuardrailValues, "patterns">) {
  return patterns.map(({ pattern, label, action }): ContentFilter => ({
    pattern,
    label: label.trim() === "" ? null : label.trim(),
    action,
  }));
}

/** What the schema cannot say about values as typed. */
export function guardrailProblems(values: GuardrailValues): FieldProblems {
  const problems: FieldProblems = {};
  if (values.name.trim() === "") problems["name"] = "Enter a name, such as Support team";
  if (values.limited === "yes") {
    const limit = parseUsd(values.limit);
    if ("problem" in limit) problems["limit"] = limit.problem;
  }
  for (const [place, { pattern }] of values.patterns.entries()) {
    if (pattern === "") problems[`patterns.${place}.pattern`] = "Enter a pattern, such as PROJ-\\d{4}";
  }
  const models = values.allowedModels.find((model) => values.ignoredModels.includes(model));
  if (models !== undefined) problems["ignoredModels"] = `${models} is both allowed and excluded: remove one`;
  const providers = values.allowedProviders.find((slug) => values.ignoredProviders.includes(slug));
  if (providers !== undefined) problems["ignoredProviders"] = `${providers} is both allowed and excluded: remove one`;
  return problems;
}

/** A guardrail in words, for what somebody else changed. */
export function guardrailWords(stored: GuardrailRecord): Record<string, string> {
  const form = guardrailForm(stored);
  const names = (list: readonly string[]) => (list.length === 0 ? "none" : list.join(", "));
  const filters = [
    ...builtinsOf(form).map(({ slug, action }) => `${actionWords[action].toLowerCase()} ${builtinNames[slug]}`),
    ...form.patterns.map(({ pattern, label, action }) => `${actionWords[action].toLowerCase()} ${label || pattern}`),
  ];
  return {
    [guardrailLabels.name]: stored.name,
    [guardrailLabels.description]: stored.description ?? "none",
    [guardrailLabels.allowedModels]: names(form.allowedModels),
    [guardrailLabels.ignoredModels]: names(form.ignoredModels),
    [guardrailLabels.allowedProviders]: names(form.allowedProviders),
    [guardrailLabels.ignoredProviders]: names(form.ignoredProviders),
    [guardrailLabels.zdr]: form.zdr.length === 0 ? "none" : groupList(form.zdr),
    "Training and publication": trainingWords(form),
    [guardrailLabels.limit]: budgetPhrase(stored) ?? "none",
    [guardrailLabels.countByok]: stored.include_byok_in_budgets ? "counted" : "not counted",
    "Content filters": filters.length === 0 ? "none" : filters.join(", "),
  };
}

function trainingWords({ noPaidTraining, noFreeTraining, noFreePublication }: GuardrailValues): string {
  const words = [
    noPaidTraining && "no training by paid models",
    noFreeTraining && "no training by free models",
    noFreePublication && "no publication by free models",
  ].filter((word) => word !== false);
  return words.length === 0 ? "not restricted" : words.join(", ");
}
