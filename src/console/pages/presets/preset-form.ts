import type { PresetRecord, PresetVersion, PresetVersionBody } from "#contract/presets.ts";
import type { FieldProblems } from "../../form/problems.ts";

/** What one version sets, as its form holds it; empty text is "none". */
export interface VersionValues {
  model: string | null;
  prompt: string;
  temperature: string;
  topP: string;
  /** of an answer, tokens */
  longest: string;
  /** slugs of providers; empty: every provider */
  only: string[];
  sort: string;
  deny: boolean;
  /** everything else, as a JSON object */
  more: string;
}

export const versionLabels = {
  model: "Model",
  prompt: "System prompt",
  temperature: "Temperature",
  topP: "Top P",
  longest: "Maximum tokens",
  only: "Providers",
  sort: "Order of providers",
  deny: "Data",
  more: "Further settings, as JSON",
} as const satisfies Record<keyof VersionValues, string>;

/** Where a member of the API has another name in the form. */
export const versionFieldOf = {
  config: "more",
  "config.model": "model",
  "config.temperature": "temperature",
  "config.top_p": "topP",
  "config.max_tokens": "longest",
  "config.provider.only": "only",
  system_prompt: "prompt",
};

export const emptyVersion: VersionValues = {
  model: null,
  prompt: "",
  temperature: "",
  topP: "",
  longest: "",
  only: [],
  sort: "",
  deny: false,
  more: "",
};

type Members = Record<string, unknown>;

/** Settings that have a field of their own, by their names in the API. */
const fields = ["model", "temperature", "top_p", "max_tokens"] as const;
const providerFields = ["only", "sort", "data_collection"] as const;

/** A stored version as its form holds it. What the fields cannot say stays in the JSON. */
export function versionForm({ config, system_prompt: prompt }: Pick<PresetVersion, "config" | "system_prompt">) {
  const { model, temperature, top_p: topP, max_tokens: longest, provider, ...rest } = config;
  const { only, sort, data_collection: data, ...preferences } = isMembers(provider) ? provider : {};
  const others = {
    ...(sort !== undefined && typeof sort !== "string" && { sort }),
    ...(data !== undefined && data !== "deny" && { data_collection: data }),
    ...preferences,
  };
  const more = { ...rest, ...(Object.keys(others).length > 0 && { provider: others }) };
  return {
    model: typeof model === "string" ? model : null,
    prompt: prompt ?? "",
    temperature: textOf(temperature),
    topP: textOf(topP),
    longest: textOf(longest),
    only: Array.isArray(only) ? only.map(String) : [],
    sort: typeof sort === "string" ? sort : "",
    deny: data === "deny",
    more: Object.keys(more).length === 0 ? "" : JSON.stringify(more, null, 2),
  } satisfies VersionValues;
}

const textOf = (value: unknown) => (typeof value === "number" ? String(value) : "");

/** The version that the form says. What is no number or no JSON is left out here, and named by {@link versionProblems}. */
export function versionBody(values: VersionValues): PresetVersionBody {
  const { provider, ...more } = membersIn(values.more) ?? {};
  const preferences = {
    ...(isMembers(provider) && provider),
    ...(values.only.length > 0 && { only: values.only }),
    ...(values.sort !== "" && { sort: values.sort }),
    ...(values.deny && { data_collection: "deny" }),
  };
  const config = {
    ...more,
    ...(values.model !== null && { model: values.model }),
    ...numberIn("temperature", values.temperature),
    ...numberIn("top_p", values.topP),
    ...numberIn("max_tokens", values.longest),
    ...(provider !== undefined && !isMembers(provider) && { provider }),
    ...(Object.keys(preferences).length > 0 && { provider: preferences }),
  };
  return { config, system_prompt: values.prompt === "" ? null : values.prompt };
}

function numberIn(name: string, text: string): Members {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? {} : { [name]: value };
}

/** What is wrong with the texts of the form. */
export function versionProblems({ temperature, topP, longest, more }: VersionValues): FieldProblems {
  const problems: FieldProblems = {};
  for (const [field, text] of Object.entries({ temperature, topP, longest })) {
    if (Number.isNaN(Number(text))) {
      problems[field] = `${versionLabels[field as keyof VersionValues]} must be a number, such as 0.7`;
    }
  }
  const problem = jsonProblem(more);
  return problem === null ? problems : { ...problems, more: problem };
}

function jsonProblem(text: string): string | null {
  const members = membersIn(text);
  if (members === null) return 'This must be a JSON object, such as {"top_k": 40}';
  const own = fields.find((name) => name in members);
  if (own !== undefined) return `${own} has a field of its own above`;
  const { provider } = members;
  const ofProvider = isMembers(provider) ? Object.keys(provider) : [];
  const field = providerFields.find((name) => ofProvider.includes(name) && hasField(name, (provider as Members)[name]));
  return field === undefined ? null : `provider.${field} has a field of its own above`;
}

/** A field has words for some values only. */
function hasField(name: (typeof providerFields)[number], value: unknown): boolean {
  return name === "only" || (name === "sort" ? typeof value === "string" : value === "deny");
}

/** The members of a JSON object; none for an empty text, null where it is none. */
function membersIn(text: string): Members | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : null;
  } catch {
    return null;
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A version in words, for what somebody else changed. */
export function versionWords(version: Pick<PresetVersion, "config" | "system_prompt">): Record<string, string> {
  const form = versionForm(version);
  return Object.fromEntries(
    (Object.keys(versionLabels) as (keyof VersionValues)[]).map((field) => {
      const value = form[field];
      const text =
        typeof value === "boolean" ? (value ? "yes" : "no") : Array.isArray(value) ? value.join(", ") : value;
      return [versionLabels[field], text === "" || text === null ? "none" : text];
    }),
  );
}

/** What a preset is called, as its form holds it. */
export interface SettingsValues {
  name: string;
  description: string;
  status: PresetRecord["status"];
}

export const settingsLabels = { name: "Name", description: "Description", status: "Status" };

export function settingsForm({ name, description, status }: PresetRecord): SettingsValues {
  return { name, description: description ?? "", status };
}

export function settingsBody({ name, description, status }: SettingsValues) {
  return { name: name.trim(), description: description.trim() === "" ? null : description.trim(), status };
}

export function settingsWords(stored: PresetRecord): Record<string, string> {
  return { Name: stored.name, Description: stored.description ?? "none", Status: stored.status };
}
