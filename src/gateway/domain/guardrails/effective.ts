import type { ZdrGroup } from "#contract/guardrails.ts";
import type { GuardrailSettings } from "../../storage/guardrail-tables.ts";

/** Why a guardrail covers a call: it is the workspace's default one, or is assigned to the key or to its creator. */
export type GuardrailScope = "workspace" | "member" | "key";

/** A guardrail that covers a call. */
export interface AppliedGuardrail {
  readonly id: string;
  readonly name: string;
  readonly scope: GuardrailScope;
  readonly settings: Readonly<GuardrailSettings>;
}

/** What a guardrail can say of one way to serve a call. */
export interface Judged {
  readonly modelId: string;
  /** every input, every output and the request itself cost nothing */
  readonly isFree: boolean;
  /** whether a name in a list means its provider */
  readonly isProvider: (name: string) => boolean;
  /** the provider is known to keep nothing */
  readonly keepsNothing: boolean;
  /** the provider may collect request data */
  readonly collects: boolean;
}

/** Why guardrails exclude a candidate, in the public API's terms where it has one. */
export type GuardrailCode =
  | "allowed_models"
  | "ignored_models"
  | "allowed_providers"
  | "ignored_providers"
  | "data_policy:zdr"
  | "data_policy:training"
  | "data_policy:publication";

export interface GuardrailExclusion {
  readonly code: GuardrailCode;
  readonly guardrail: AppliedGuardrail;
  readonly reason: string;
}

/**
 * The first reason why one of the guardrails excludes a candidate; null: none does. A candidate has to suit each of them,
 * so that lists of what is allowed intersect, lists of what is ignored unite, and one that enforces zero data retention
 * is enough.
 */
export function excludedBy(guardrails: readonly AppliedGuardrail[], candidate: Judged): GuardrailExclusion | null {
  for (const guardrail of guardrails) {
    const found = exclusionOf(guardrail.settings, candidate);
    if (found !== null) return { code: found[0], guardrail, reason: `the guardrail ${guardrail.name} ${found[1]}` };
  }
  return null;
}

function exclusionOf(
  settings: Readonly<GuardrailSettings>,
  { modelId, isFree, isProvider, keepsNothing, collects }: Judged,
): readonly [GuardrailCode, string] | null {
  const { allowed_models, ignored_models, allowed_providers, ignored_providers } = settings;
  if (allowed_models && !allowed_models.includes(modelId)) return ["allowed_models", `does not allow ${modelId}`];
  if (ignored_models?.includes(modelId)) return ["ignored_models", `does not allow ${modelId}`];
  if (allowed_providers && !allowed_providers.some(isProvider)) return ["allowed_providers", "does not allow it"];
  if (ignored_providers?.some(isProvider)) return ["ignored_providers", "does not allow it"];
  if (!keepsNothing && enforcesZdr(settings, modelId)) {
    return ["data_policy:zdr", `enforces zero data retention for ${modelId}, and it is not known to keep nothing`];
  }
  if (!collects) return null;
  if (isFree && settings.enable_free_model_training === false) {
    return ["data_policy:training", "does not allow training with free models, and it may collect request data"];
  }
  if (isFree && settings.enable_free_model_publication === false) {
    return ["data_policy:publication", "does not allow publication with free models, and it may collect request data"];
  }
  if (!isFree && settings.enable_paid_model_training === false) {
    return ["data_policy:training", "does not allow training with paid models, and it may collect request data"];
  }
  return null;
}

/** A file that is about to be sent to a vendor, which keeps it. */
export interface FileAtVendor {
  readonly vendor: "anthropic" | "openai";
  /** whether a name in a list means the vendor's provider */
  readonly isProvider: (name: string) => boolean;
}

/** The first reason why one of the guardrails keeps a file from a vendor; null: none does. */
export function fileExcludedBy(
  guardrails: readonly AppliedGuardrail[],
  file: FileAtVendor,
): { readonly guardrail: AppliedGuardrail; readonly reason: string } | null {
  for (const guardrail of guardrails) {
    const reason = fileExclusionOf(guardrail.settings, file);
    if (reason !== null) return { guardrail, reason };
  }
  return null;
}

function fileExclusionOf(settings: Readonly<GuardrailSettings>, { vendor, isProvider }: FileAtVendor): string | null {
  const { allowed_providers, ignored_providers, content_filters, content_filter_builtins } = settings;
  if (allowed_providers && !allowed_providers.some(isProvider)) return "does not allow it";
  if (ignored_providers?.some(isProvider)) return "does not allow it";
  if (settings[`enforce_zdr_${vendor}`] === true) return "enforces zero data retention";
  const filters = [...(content_filters ?? []), ...(content_filter_builtins ?? [])];
  return filters.some(({ action }) => action !== "flag") ? "has content filters, which cannot read it there" : null;
}

/** Whether one of the guardrails enforces zero data retention for one of the models. */
export function keepsNothingOf(guardrails: readonly AppliedGuardrail[], modelIds: readonly string[]): boolean {
  return guardrails.some(({ settings }) => modelIds.some((id) => enforcesZdr(settings, id)));
}

function enforcesZdr(settings: Readonly<GuardrailSettings>, modelId: string): boolean {
  return settings[`enforce_zdr_${zdrGroupOf(modelId)}`] === true;
}

const makers: Readonly<Record<string, ZdrGroup>> = {
  anthropic: "anthropic",
  google: "google",
  openai: "openai",
  "x-ai": "xai",
  xai: "xai",
};

/** The group of a model by its maker, which its id begins with. */
export function zdrGroupOf(modelId: string): ZdrGroup {
  const [maker = ""] = modelId.split("/");
  return (Object.hasOwn(makers, maker) ? makers[maker] : undefined) ?? "other";
}
