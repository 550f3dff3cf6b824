import { builtinLabels, type GuardrailRecord, type UpdateGuardrailBody, zdrGroups } from "#contract/guardrails.ts";
import { toNanoUsd, toUsd } from "#contract/money.ts";
import type { GuardrailSettings } from "../../storage/guardrail-tables.ts";
import { given, pick } from "../patch.ts";
import { invalid } from "../refusal.ts";
import { versionOf } from "../version.ts";

/** A guardrail's settings, each with its default. Creation, PATCH, record and audit row are derived from this table. */
export const guardrailDefaults: GuardrailSettings = {
  name: "",
  description: null,
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
  allowed_data_regions: null,
  enforce_zdr: null,
  enforce_zdr_anthropic: null,
  enforce_zdr_google: null,
  enforce_zdr_openai: null,
  enforce_zdr_xai: null,
  enforce_zdr_other: null,
  enable_free_model_training: null,
  enable_free_model_publication: null,
  enable_paid_model_training: null,
  limit_nano: null,
  reset_interval: null,
  include_byok_in_budgets: false,
  content_filters: null,
  content_filter_builtins: null,
};

/** The name of every workspace's default guardrail. */
export const defaultName = "Default guardrail";

/** The settings of a body as they are stored; what is absent stays absent. */
export function storedSettings({
  limit_usd: limit,
  content_filter_builtins: builtins,
  enforce_zdr: zdr,
  ...plain
}: UpdateGuardrailBody): Partial<GuardrailSettings> {
  const groups = Object.fromEntries(zdrGroups.map((group) => [`enforce_zdr_${group}`, zdr] as const));
  return given({
    ...groups,
    ...given(plain),
    enforce_zdr: zdr,
    limit_nano: limit == null ? limit : toNanoUsd(limit),
    content_filter_builtins: builtins?.map(({ label: _, ...filter }) => filter) ?? builtins,
  });
}

/** Settings that belong together. @throws Refusal 400 where one of them is without the other */
export function refuseUnlessWhole({ limit_nano: limit, reset_interval: interval }: GuardrailSettings): void {
  if ((limit === null) === (interval === null)) return;
  const [missing, other] = limit === null ? ["limit_usd", "reset_interval"] : ["reset_interval", "limit_usd"];
  throw invalid(missing ?? "", `must come together with ${other}: a budget has an amount and an interval`);
}

/** A guardrail's settings as the public record and the audit log show them. */
export function shownSettings(row: GuardrailSettings): Pick<GuardrailRecord, keyof UpdateGuardrailBody> {
  const {
    limit_nano: limit,
    content_filters: filters,
    content_filter_builtins: builtins,
    ...plain
  } = pick(row, guardrailDefaults);
  return {
    ...plain,
    limit_usd: limit === null ? null : toUsd(limit),
    content_filters: filters?.map(({ label = null, ...filter }) => ({ ...filter, label })) ?? null,
    content_filter_builtins: builtins?.map((filter) => ({ ...filter, label: builtinLabels[filter.slug] })) ?? null,
  };
}

/** Differs between any two states of the settings. */
export const settingsVersion = (row: GuardrailSettings) => versionOf(shownSettings(row));

/** The settings as columns. */
export function columnsOf(row: GuardrailSettings) {
  const { content_filters: filters, content_filter_builtins: builtins, ...plain } = pick(row, guardrailDefaults);
  return {
    ...plain,
    content_filters: filters === null ? null : JSON.stringify(filters),
    content_filter_builtins: builtins === null ? null : JSON.stringify(builtins),
  };
}
