import { presets, type Preset } from "#contract/provider-presets.ts";
import type {
  CreateProviderBody,
  ProviderPreset,
  ProviderRecord,
  TestProviderSettingsBody,
  UpdateProviderBody,
} from "#contract/providers.ts";
import { changedMembers } from "../../form/changes.ts";
import { mergeForm } from "../../form/newer-version.ts";
import type { FieldProblems } from "../../form/problems.ts";
import { leadsElsewhere, secretDraft, secretMember, secretProblem, type SecretDraft } from "../../form/secret.ts";
import { pickedModel, pickProblem, type Pick } from "./picks.ts";

/** A provider as its form holds it; empty text is "none". */
export interface ProviderValues {
  name: string;
  slug: string;
  base_url: string;
  api_key: SecretDraft;
  api_version: string;
  /** whole seconds */
  timeout_seconds: string;
  data_collection: "allow" | "deny";
  zdr: boolean;
  privacy_policy_url: string;
  terms_of_service_url: string;
  status_page_url: string;
  /** of a new one: chosen from what a test found */
  models: Pick[];
}

export const providerLabels = {
  name: "Name",
  slug: "Slug",
  base_url: "Address",
  api_key: "API key",
  api_version: "API version",
  timeout_seconds: "Time limit",
  data_collection: "What the provider does with requests",
  zdr: "Keeps nothing",
  privacy_policy_url: "Privacy policy",
  terms_of_service_url: "Terms of service",
  status_page_url: "Status page",
  models: "Models",
};

/** Where the form shows what is wrong with a provider's options. */
export const fieldOfOption = { options: "api_version", "options.timeout_seconds": "timeout_seconds" };

export const presetOf = (id: ProviderPreset): Preset => presets[id];

/** Where the form for a new one begins. A slug that is taken gets a number, as for a second account at a vendor. */
export function newProvider(preset: ProviderPreset, taken: readonly string[]): ProviderValues {
  const { name, baseUrl } = presetOf(preset);
  const number = preset === "custom" ? 1 : firstFree(preset, taken);
  return {
    name: preset === "custom" ? "" : number === 1 ? name : `${name} ${number}`,
    slug: preset === "custom" ? "" : number === 1 ? preset : `${preset}-${number}`,
    base_url: baseUrl ?? "",
    api_key: secretDraft(null),
    api_version: "",
    timeout_seconds: "",
    data_collection: "allow",
    zdr: false,
    privacy_policy_url: "",
    terms_of_service_url: "",
    status_page_url: "",
    models: [],
  };
}

function firstFree(slug: string, taken: readonly string[]): number {
  let number = 1;
  while (taken.includes(number === 1 ? slug : `${slug}-${number}`)) number += 1;
  return number;
}

export function storedProvider(provider: ProviderRecord): ProviderValues {
  return {
    name: provider.name,
    slug: provider.slug,
    base_url: provider.base_url ?? "",
    api_key: secretDraft(provider.api_key),
    api_version: provider.options.api_version ?? "",
    timeout_seconds: String(provider.options.timeout_seconds ?? ""),
    data_collection: provider.data_collection,
    zdr: provider.zdr,
    privacy_policy_url: provider.privacy_policy_url ?? "",
    terms_of_service_url: provider.terms_of_service_url ?? "",
    status_page_url: provider.status_page_url ?? "",
    models: [],
  };
}

/** The form over a newer state of its provider: what was typed stays, the rest follows. */
export function mergeProvider(typed: ProviderValues, before: ProviderRecord, newer: ProviderRecord): ProviderValues {
  const merged = mergeForm(storedProvider)(typed, before, newer);
  // a key goes to the address that it was typed for
  return typeof secretMember(typed.api_key) === "string" ? { ...merged, base_url: typed.base_url } : merged;
}

/** The settings of a stored provider in words, for what somebody else changed. */
export function providerWords(stored: ProviderRecord): Record<string, string> {
  const { api_key: _, models: __, slug: ___, zdr, data_collection: collects, ...texts } = storedProvider(stored);
  const words = Object.entries(texts).map(([field, text]) => [providerLabels[field as keyof typeof texts], text]);
  return {
    ...(Object.fromEntries(words.map(([label, text]) => [label, text === "" ? "None" : text])) as Record<
      string,
      string
    >),
    [providerLabels.api_key]: stored.api_key ?? "None",
    [providerLabels.data_collection]: collects === "deny" ? "Does neither" : "May keep them, or train on them",
    [providerLabels.zdr]: zdr ? "Yes" : "No",
    "Takes calls": stored.enabled ? "Yes" : "No",
    [providerLabels.models]:
      stored.models.map(({ id, enabled }) => (enabled ? id : `${id} (off)`)).join(", ") || "None",
  };
}

const orNull = (text: string) => (text.trim() === "" ? null : text.trim());

function settings(values: ProviderValues) {
  const [version, seconds] = [values.api_version.trim(), values.timeout_seconds.trim()];
  return {
    name: values.name.trim(),
    data_collection: values.data_collection,
    zdr: values.zdr,
    privacy_policy_url: orNull(values.privacy_policy_url),
    terms_of_service_url: orNull(values.terms_of_service_url),
    status_page_url: orNull(values.status_page_url),
    options: {
      ...(version === "" ? {} : { api_version: version }),
      ...(seconds === "" ? {} : { timeout_seconds: Number(seconds) }),
    },
  };
}

export function createBody(preset: ProviderPreset, values: ProviderValues): CreateProviderBody {
  return {
    ...settings(values),
    slug: values.slug.trim(),
    kind: presetOf(preset).kind,
    preset,
    base_url: values.base_url.trim(),
    api_key: secretMember(values.api_key) ?? null,
    ...(values.models.length === 0 ? {} : { models: values.models.map(pickedModel) }),
  };
}

/** What a test asks with before a new provider is saved. */
export function newTestBody(preset: ProviderPreset, values: ProviderValues): TestProviderSettingsBody {
  const { kind, base_url, api_key, options } = createBody(preset, values);
  return { kind, preset, base_url, api_key, options };
}

/** What a test asks with before the changes of a stored one are saved. */
export function changedTestBody(stored: ProviderRecord, values: ProviderValues): TestProviderSettingsBody {
  const { base_url, api_key, options } = updateBody(stored, values);
  return {
    slug: stored.slug,
    ...(base_url === undefined ? {} : { base_url }),
    ...(api_key === undefined ? {} : { api_key }),
    ...(options === undefined ? {} : { options }),
  };
}

/**
 * Only what differs from what is stored; a kept secret is absent. A typed one goes with the address that it was typed
 * for: somebody else may have changed the stored one.
 */
export function updateBody(stored: ProviderRecord, values: ProviderValues): UpdateProviderBody {
  const before = storedProvider(stored);
  const secret = secretMember(values.api_key);
  return {
    ...changedMembers(settings(before), settings(values)),
    ...changedMembers({ base_url: before.base_url }, { base_url: values.base_url.trim() }),
    ...(secret === undefined ? {} : { api_key: secret }),
    ...(typeof secret === "string" && { base_url: values.base_url.trim() }),
  };
}

/**
 * What the contract cannot say: a mask is no secret, and a kept secret does not move to another host.
 * @param stored null for a new provider
 */
export function providerProblems(values: ProviderValues, stored: ProviderRecord | null): FieldProblems {
  const wrong = values.models.find((pick) => pickProblem(pick, new Set(), values.models) !== null);
  if (wrong) return { models: `${wrong.upstream_id}: ${pickProblem(wrong, new Set(), values.models)}` };
  const problem = secretProblem(values.api_key, stored?.api_key ?? null);
  if (problem !== null) return { api_key: problem };
  const moved =
    values.api_key.state === "kept" &&
    stored !== null &&
    stored.api_key !== null &&
    leadsElsewhere(stored.base_url, values.base_url.trim());
  return moved
    ? { api_key: "The address now points to another host. Replace the key, so the old one is not sent there" }
    : {};
}
