import * as z from "zod/mini";
import { ChatBody } from "./chat.ts";
import { endpoint, kilobytes, megabytes } from "./endpoint.ts";
import { list } from "./list.ts";
import { MessagesBody } from "./messages.ts";
import { Deleted, OffsetPage, queryWorkspace } from "./page.ts";
import { nameOf } from "./plain-name.ts";
import { ResponsesBody } from "./responses.ts";
import { ProviderPreferences } from "./routing.ts";
import { Instant } from "./time.ts";

/** Of a workspace. */
export const mostPresets = 200;
/** Of a preset; a further one takes the place of the oldest. */
export const mostPresetVersions = 200;
/** As the store can hold it. */
const mostVersionNumber = 2_147_483_647;
/** Characters of a version's system prompt, and of its settings as JSON. */
export const mostPromptLength = 32_768;
export const mostConfigLength = 32_768;
const mostSlugLength = 64;

/** What names a preset in a call's `model`, before the slug. */
export const presetMark = "@preset/";
const presetSlug = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/** Whether a text can be the slug of a preset. */
export const isPresetSlug = (text: string) => text.length <= mostSlugLength && presetSlug.test(text);

export const PresetSlug = z
  .string()
  .check(
    z.minLength(1, "must have at least one character"),
    z.maxLength(mostSlugLength, `must have at most ${mostSlugLength} characters`),
    z.regex(presetSlug, "must be lowercase letters and digits, with single hyphens or underscores between them"),
  );

const model = z.string().check(
  z.minLength(1),
  z.maxLength(255),
  z.refine((id) => !id.includes(presetMark), "must not name a preset: a preset cannot hold another one"),
);
/** Null counts as absent. */
const maybe = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));
const number = maybe(z.number());
const text = maybe(z.string().check(z.minLength(1), z.maxLength(100)));
const flag = maybe(z.boolean());
const whole = (least: number, most: number) =>
  maybe(z.int().check(z.minimum(least, `must be ${least} or more`), z.maximum(most, `must be at most ${most}`)));
const tokens = whole(1, 10_000_000);
const stop = z.string().check(z.minLength(1), z.maxLength(1_000));
const object = z.looseObject({});

/** Members of a tool with which a provider signs in to a server. Whoever has a key of the workspace reads its presets. */
const secretMembers = ["authorization", "headers"];

const Tool = z.looseObject({}).check((payload) => {
  const secret = secretMembers.find((name) => (payload.value[name] ?? null) !== null);
  if (secret === undefined) return;
  const message = "cannot be in a preset, which holds no secrets: send this tool with each request";
  payload.issues.push({ code: "custom", input: payload.value[secret], path: [secret], message });
});

/** The members of a request that a preset can hold, in the form of chat. */
export const presetMembers = {
  model: maybe(model),
  /** tried after `model`, in this order */
  models: maybe(list(model, { most: 20 })),
  provider: maybe(ProviderPreferences),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  temperature: number,
  top_p: number,
  top_k: number,
  top_a: number,
  min_p: number,
  frequency_penalty: number,
  presence_penalty: number,
  repetition_penalty: number,
  seed: maybe(z.int()),
  stop: maybe(z.union([stop, list(stop, { most: 16 })], "must be a text or a list of texts")),
  logit_bias: maybe(object),
  logprobs: flag,
  top_logprobs: whole(0, 100),
  tools: maybe(list(Tool, { most: 256 })),
  tool_choice: maybe(z.union([z.string().check(z.maxLength(100)), object], "must be a word or an object")),
  parallel_tool_calls: flag,
  response_format: maybe(object),
  structured_outputs: flag,
  reasoning: maybe(object),
  reasoning_effort: text,
  verbosity: text,
  service_tier: text,
  plugins: maybe(list(object, { most: 20 })),
  transforms: maybe(list(z.string().check(z.maxLength(100)), { most: 20 })),
  route: text,
  /** whether equal calls are given the same answer from the response cache, and for how long: false overrides the header */
  cache_enabled: flag,
  cache_ttl_seconds: whole(1, 86_400),
  /** of embeddings calls */
  dimensions: whole(1, 1_000_000),
  input_type: text,
  /** of rerank calls */
  top_n: whole(1, 1_000_000),
};

export const PresetConfig = z
  .strictObject(presetMembers)
  .check(
    z.refine(
      (config) => JSON.stringify(config).length <= mostConfigLength,
      `must have at most ${mostConfigLength} characters as JSON`,
    ),
  );
export type PresetConfig = z.infer<typeof PresetConfig>;

export const SystemPrompt = maybe(
  z.string().check(z.maxLength(mostPromptLength, `must have at most ${mostPromptLength} characters`)),
);

/** What one version of a preset sets. */
export const presetVersionMembers = { config: PresetConfig, system_prompt: SystemPrompt };

export const PresetStatus = z.enum(["active", "disabled", "archived"]);
export type PresetStatus = z.infer<typeof PresetStatus>;

export const PresetVersion = z.object({
  id: z.uuid(),
  preset_id: z.uuid(),
  /** counts from 1 */
  version: z.int(),
  config: z.record(z.string(), z.unknown()),
  system_prompt: z.nullable(z.string()),
  /** who saved it: the name of the key */
  creator_id: z.string(),
  created_at: Instant,
  updated_at: Instant,
});
export type PresetVersion = z.infer<typeof PresetVersion>;

const record = {
  id: z.uuid(),
  workspace_id: z.nullable(z.uuid()),
  slug: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  /** only an active preset can be used in calls */
  status: PresetStatus,
  status_updated_at: z.nullable(Instant),
  /** the version that calls use */
  designated_version_id: z.nullable(z.uuid()),
  creator_user_id: z.nullable(z.string()),
  created_at: Instant,
  updated_at: Instant,
  /** beyond the public API: the number of that version, its model, and how many versions are kept */
  designated_version_number: z.int(),
  model: z.nullable(z.string()),
  version_count: z.int(),
};

export const PresetRecord = z.object(record);
export type PresetRecord = z.infer<typeof PresetRecord>;

export const PresetWithVersion = z.object({ ...record, designated_version: z.nullable(PresetVersion) });
export type PresetWithVersion = z.infer<typeof PresetWithVersion>;

const settings = {
  name: z.optional(nameOf(100)),
  description: maybe(z.string().check(z.maxLength(500, "must have at most 500 characters"))),
};

export const CreatePresetBody = z.strictObject({
  slug: PresetSlug,
  /** default: the slug */
  ...settings,
  /** default: the default workspace */
  workspace_id: z.optional(z.uuid("must be a workspace's id (a UUID)")),
  ...presetVersionMembers,
});
export type CreatePresetBody = z.infer<typeof CreatePresetBody>;

/** Absent members keep their value. */
export const UpdatePresetBody = z.strictObject({
  ...settings,
  status: z.optional(PresetStatus),
  /** the number of the version that calls use from now on */
  designated_version: z.optional(z.int().check(z.minimum(1), z.maximum(mostVersionNumber))),
});
export type UpdatePresetBody = z.infer<typeof UpdatePresetBody>;

export const PresetVersionBody = z.strictObject(presetVersionMembers);
export type PresetVersionBody = z.infer<typeof PresetVersionBody>;

const One = z.object({ data: PresetWithVersion });
const bySlug = z.strictObject({ slug: PresetSlug });
const oneVersion = z.strictObject({
  slug: PresetSlug,
  version: z.string().check(z.regex(/^[1-9]\d{0,8}$/, "must be the number of a version")),
});
/** Of a management key; an API key has its own workspace. Default: the default workspace. */
const inWorkspace = z.strictObject({ workspace_id: z.optional(z.uuid("must be a workspace's id (a UUID)")) });
const tag = "Presets";

export const listPresets = endpoint({
  name: "listPresets",
  method: "GET",
  path: "/presets",
  tag,
  auth: "any",
  summary: "List a workspace's presets, the last changed first",
  description: "An API key sees those of its own workspace; a management key names one, or `all`.",
  query: z.strictObject({ ...OffsetPage.shape, workspace_id: queryWorkspace }),
  returns: z.object({ data: z.array(PresetRecord), total_count: z.int() }),
  errors: [400, 401, 403, 404, 500],
});

export const getPreset = endpoint({
  name: "getPreset",
  method: "GET",
  path: "/presets/{slug}",
  tag,
  auth: "any",
  summary: "Get a preset with the version that calls use",
  params: bySlug,
  query: inWorkspace,
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 500],
});

export const listPresetVersions = endpoint({
  name: "listPresetVersions",
  method: "GET",
  path: "/presets/{slug}/versions",
  tag,
  auth: "any",
  summary: "List a preset's versions, the oldest first",
  params: bySlug,
  query: z.strictObject({ ...OffsetPage.shape, ...inWorkspace.shape }),
  returns: z.object({ data: z.array(PresetVersion), total_count: z.int() }),
  errors: [400, 401, 403, 404, 500],
});

export const getPresetVersion = endpoint({
  name: "getPresetVersion",
  method: "GET",
  path: "/presets/{slug}/versions/{version}",
  tag,
  auth: "any",
  summary: "Get one version of a preset",
  params: oneVersion,
  query: inWorkspace,
  returns: z.object({ data: PresetVersion }),
  errors: [400, 401, 403, 404, 500],
});

const fromRequest = {
  method: "POST",
  tag,
  auth: "any",
  description:
    "Calls no model. Makes the preset if there is none with this slug, else adds a version, which calls use from then on. " +
    "Of the request it keeps what a preset can hold, with its system prompt; the rest is left out (docs/presets.md). An API key saves in its own workspace, at most 30 times a minute.",
  params: bySlug,
  query: inWorkspace,
  bodyLimit: megabytes(4),
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 429, 500],
} as const;

export const savePresetFromChat = endpoint({
  ...fromRequest,
  name: "savePresetFromChat",
  operationId: "createPresetsChatCompletions",
  path: "/presets/{slug}/chat/completions",
  summary: "Save a chat request's settings as a preset",
  body: ChatBody,
});

export const savePresetFromMessage = endpoint({
  ...fromRequest,
  name: "savePresetFromMessage",
  operationId: "createPresetsMessages",
  path: "/presets/{slug}/messages",
  summary: "Save the settings of a request in Anthropic's form as a preset",
  body: MessagesBody,
});

export const savePresetFromResponse = endpoint({
  ...fromRequest,
  name: "savePresetFromResponse",
  operationId: "createPresetsResponses",
  path: "/presets/{slug}/responses",
  summary: "Save the settings of a Responses request as a preset",
  body: ResponsesBody,
});

export const createPreset = endpoint({
  name: "createPreset",
  method: "POST",
  path: "/presets",
  tag,
  auth: "management",
  summary: "Create a preset with its first version",
  body: CreatePresetBody,
  bodyLimit: kilobytes(256),
  status: 201,
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 409, 413, 500],
});

export const createPresetVersion = endpoint({
  name: "createPresetVersion",
  method: "POST",
  path: "/presets/{slug}/versions",
  tag,
  auth: "management",
  summary: "Add a version to a preset; calls use it from then on",
  description: `Of more than ${mostPresetVersions} versions the oldest is deleted. With \`If-Match\`, a preset that changed since answers 409.`,
  params: bySlug,
  query: inWorkspace,
  headers: ["If-Match"],
  body: PresetVersionBody,
  bodyLimit: kilobytes(256),
  status: 201,
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const updatePreset = endpoint({
  name: "updatePreset",
  method: "PATCH",
  path: "/presets/{slug}",
  tag,
  auth: "management",
  summary: "Rename, disable or archive a preset, or choose the version that calls use",
  description: "With `If-Match`, a preset that changed since answers 409.",
  params: bySlug,
  query: inWorkspace,
  headers: ["If-Match"],
  body: UpdatePresetBody,
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const deletePreset = endpoint({
  name: "deletePreset",
  method: "DELETE",
  path: "/presets/{slug}",
  tag,
  auth: "management",
  summary: "Delete a preset and its versions; calls that used it keep its name",
  params: bySlug,
  query: inWorkspace,
  headers: ["If-Match"],
  returns: Deleted,
  errors: [400, 401, 403, 404, 409, 500],
});
