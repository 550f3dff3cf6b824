import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { queryInteger, queryOffset } from "./page.ts";
import { Instant } from "./time.ts";

const Price = z.string();

const OutputImagePrice = z.object({ quality: z.optional(z.string()), size: z.optional(z.string()), price: Price });

/** USD per token (prompt, completion), per image, request, character and second, as decimal strings; -1: the price is unknown. */
export const Pricing = z.looseObject({
  prompt: Price,
  completion: Price,
  request: z.optional(Price),
  image: z.optional(Price),
  /** beyond the public API: per character that is spoken, and per second that is heard or filmed */
  character: z.optional(Price),
  second: z.optional(Price),
  /** per second of video, by its size */
  seconds: z.optional(z.array(z.object({ size: z.string(), price: Price }))),
  /** per image that is made: in general, and by its quality and size */
  output_image: z.optional(Price),
  output_images: z.optional(z.array(OutputImagePrice)),
});

export const Architecture = z.object({
  modality: z.nullable(z.string()),
  input_modalities: z.array(z.string()),
  output_modalities: z.array(z.string()),
  tokenizer: z.string(),
  instruct_type: z.nullable(z.string()),
});

/** The model record of the public API; members that newer official clients require are all present. */
export const ModelRecord = z.object({
  id: z.string(),
  canonical_slug: z.string(),
  name: z.string(),
  /** unix seconds */
  created: z.int(),
  description: z.string(),
  context_length: z.nullable(z.int()),
  architecture: Architecture,
  pricing: Pricing,
  top_provider: z.object({
    context_length: z.nullable(z.int()),
    max_completion_tokens: z.nullable(z.int()),
    is_moderated: z.boolean(),
  }),
  per_request_limits: z.nullable(z.object({ prompt_tokens: z.number(), completion_tokens: z.number() })),
  supported_parameters: z.array(z.string()),
  supported_voices: z.nullable(z.array(z.string())),
  default_parameters: z.nullable(z.looseObject({})),
  hugging_face_id: z.nullable(z.string()),
  links: z.object({ details: z.string() }),
  /** beyond the public API, embedding models: the vector's length, and the lengths that can be requested */
  dimensions: z.optional(z.nullable(z.object({ default: z.int(), minimum: z.int(), maximum: z.int() }))),
  /** for callers that send `anthropic-version`: the same in the form of Anthropic's list */
  type: z.optional(z.literal("model")),
  display_name: z.optional(z.string()),
  created_at: z.optional(Instant),
});
export type ModelRecord = z.infer<typeof ModelRecord>;

export const ModelList = z.object({
  data: z.array(ModelRecord),
  links: z.object({ next: z.nullable(z.string()) }),
  total_count: z.int(),
  /** for callers that send `anthropic-version` */
  has_more: z.optional(z.boolean()),
  first_id: z.optional(z.nullable(z.string())),
  last_id: z.optional(z.nullable(z.string())),
});
export type ModelList = z.infer<typeof ModelList>;

/** Without both members the whole list is returned. Unknown members are ignored, as in all public lists. */
export const ModelPage = z.object({
  offset: queryOffset,
  limit: z.optional(queryInteger(1, 1_000)),
});

/** Members of a comma-separated list in a query string. */
const list = z.optional(z.string().check(z.minLength(1), z.maxLength(500)));
const figure = z.optional(
  z.pipe(z.string().check(z.regex(/^\d{1,9}(\.\d{1,12})?$/, "must be a number of 0 or more")), z.transform(Number)),
);
const usd = z.optional(
  z.pipe(z.string().check(z.regex(/^\d{1,9}(\.\d{1,12})?$/, "must be a decimal number of USD")), z.transform(Number)),
);

/** The public API's sort orders. Models have no ratings here, so orders by rating sort by id. */
export const ModelSort = z.enum([
  "most-popular",
  "top-weekly",
  "intelligence-high-to-low",
  "coding-high-to-low",
  "agentic-high-to-low",
  "design-arena-elo-high-to-low",
  "newest",
  "pricing-low-to-high",
  "pricing-high-to-low",
  "context-high-to-low",
  "throughput-high-to-low",
  "latency-low-to-high",
]);
export type ModelSort = z.infer<typeof ModelSort>;

export const ModelQuery = z.object({
  ...ModelPage.shape,
  /** with `anthropic-version`, instead of `offset`: the models after or before this one */
  after_id: z.optional(z.string().check(z.minLength(1), z.maxLength(401))),
  before_id: z.optional(z.string().check(z.minLength(1), z.maxLength(401))),
  /** part of an id or a name */
  q: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** comma-separated: text (the default), embeddings, rerank, speech, transcription, image and video; or all */
  output_modalities: list,
  /** comma-separated: text, image, audio, file, video; a model must take all of them */
  input_modalities: list,
  supported_parameters: list,
  model_authors: list,
  providers: list,
  /** tokens, at least */
  context: z.optional(queryInteger(1, 1_000_000_000)),
  /** USD per million prompt tokens */
  min_price: usd,
  max_price: usd,
  /** USD per million completion tokens */
  min_output_price: usd,
  max_output_price: usd,
  zdr: z.optional(z.literal("true")),
  distillable: z.optional(z.enum(["true", "false"])),
  /** comma-separated: tokenizers, as in `architecture.tokenizer` */
  arch: list,
  /** days since the model was added here */
  min_age_days: z.optional(queryInteger(0, 100_000)),
  max_age_days: z.optional(queryInteger(0, 100_000)),
  // Attributes that the public API has for its models and a gateway does not: no model has them, so none matches.
  category: z.optional(
    z.enum([
      "programming",
      "roleplay",
      "marketing",
      "marketing/seo",
      "technology",
      "science",
      "translation",
      "legal",
      "finance",
      "health",
      "trivia",
      "academia",
    ]),
  ),
  region: z.optional(z.enum(["eu", "us"])),
  min_intelligence_index: figure,
  max_intelligence_index: figure,
  min_coding_index: figure,
  max_coding_index: figure,
  min_agentic_index: figure,
  max_agentic_index: figure,
  min_tool_success_rate: figure,
  max_tool_success_rate: figure,
  sort: z.optional(ModelSort),
});
export type ModelQuery = z.infer<typeof ModelQuery>;

const tag = "Models";
const modelPath = z.strictObject({
  author: z.string().check(z.minLength(1), z.maxLength(200)),
  slug: z.string().check(z.minLength(1), z.maxLength(200)),
});

export const listModels = endpoint({
  name: "listModels",
  operationId: "getModels",
  method: "GET",
  path: "/models",
  tag,
  summary: "List the models",
  description:
    "Those that answer with text, unless `output_modalities` says otherwise: `embeddings`, `rerank`, `speech`, `transcription`, `image`, `video`, or `all`. Query members that are not listed are ignored. With the header `anthropic-version` the list and its records have the members of Anthropic's as well.",
  auth: "none",
  query: ModelQuery,
  headers: ["anthropic-version"],
  returns: ModelList,
  errors: [400, 500],
});

export const listModelsForUser = endpoint({
  name: "listModelsForUser",
  operationId: "listModelsUser",
  method: "GET",
  path: "/models/user",
  tag,
  summary: "List the models that the calling key may use",
  auth: "ordinary",
  query: ModelPage,
  returns: ModelList,
  errors: [400, 401, 403, 500],
});

export const countModels = endpoint({
  name: "countModels",
  operationId: "listModelsCount",
  method: "GET",
  path: "/models/count",
  tag,
  summary: "Count the models",
  description: "Those that answer with text, unless `output_modalities` says otherwise.",
  auth: "none",
  query: z.object({ output_modalities: list }),
  returns: z.object({ data: z.object({ count: z.int() }) }),
  errors: [400, 500],
});

export const getModel = endpoint({
  name: "getModel",
  method: "GET",
  path: "/model/{author}/{slug}",
  tag,
  summary: "Read a model",
  auth: "none",
  params: modelPath,
  returns: z.object({ data: ModelRecord }),
  errors: [404, 500],
});

/** A model as OpenAI's clients read it. */
export const RetrievedModel = z.extend(ModelRecord, { object: z.literal("model"), owned_by: z.string() });
export type RetrievedModel = z.infer<typeof RetrievedModel>;

export const retrieveModel = endpoint({
  name: "retrieveModel",
  method: "GET",
  path: "/models/{id}",
  tag,
  summary: "Read a model in OpenAI's form",
  description: "For OpenAI's clients, which write the slash of a model's id as `%2F`.",
  auth: "none",
  params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(401)) }),
  returns: RetrievedModel,
  errors: [400, 404, 500],
});

export const retrieveModelOfAuthor = endpoint({
  name: "retrieveModelOfAuthor",
  method: "GET",
  path: "/models/{author}/{slug}",
  tag,
  summary: "Read a model in OpenAI's form, by author and slug",
  auth: "none",
  params: modelPath,
  returns: RetrievedModel,
  errors: [400, 404, 500],
});

const Measured = z.nullable(z.object({ p50: z.number(), p75: z.number(), p90: z.number(), p99: z.number() }));

/** A model as one provider serves it. Measurements are this process's own; null: too few calls so far. */
export const EndpointRecord = z.object({
  name: z.string(),
  model_id: z.string(),
  model_name: z.string(),
  provider_name: z.string(),
  /** the provider's slug, as `provider.order` takes it */
  tag: z.string(),
  context_length: z.int(),
  max_completion_tokens: z.nullable(z.int()),
  max_prompt_tokens: z.nullable(z.int()),
  pricing: Pricing,
  quantization: z.nullable(z.string()),
  /** 0: up; -2: calls are held back */
  status: z.int(),
  supported_parameters: z.array(z.string()),
  supports_implicit_caching: z.boolean(),
  supports_tool_choice: z.object({
    auto: z.boolean(),
    function: z.boolean(),
    none: z.boolean(),
    required: z.boolean(),
  }),
  /** percent */
  uptime_last_5m: z.nullable(z.number()),
  uptime_last_30m: z.nullable(z.number()),
  uptime_last_1d: z.nullable(z.number()),
  /** milliseconds to the first byte */
  latency_last_30m: Measured,
  /** tokens a second */
  throughput_last_30m: Measured,
});
export type EndpointRecord = z.infer<typeof EndpointRecord>;

export const listModelEndpoints = endpoint({
  name: "listModelEndpoints",
  operationId: "listEndpoints",
  method: "GET",
  path: "/models/{author}/{slug}/endpoints",
  tag,
  summary: "List the providers that serve a model",
  auth: "none",
  params: modelPath,
  returns: z.object({
    data: z.object({
      id: z.string(),
      name: z.string(),
      created: z.int(),
      description: z.string(),
      architecture: Architecture,
      endpoints: z.array(EndpointRecord),
    }),
  }),
  errors: [404, 500],
});

export const listZdrEndpoints = endpoint({
  name: "listZdrEndpoints",
  operationId: "listEndpointsZdr",
  method: "GET",
  path: "/endpoints/zdr",
  tag,
  summary: "List what is served without keeping anything of a request",
  auth: "none",
  returns: z.object({ data: z.array(EndpointRecord) }),
  errors: [500],
});
