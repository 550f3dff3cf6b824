import * as z from "zod/mini";
import { list } from "./list.ts";
import { endpoint, megabytes } from "./endpoint.ts";
import { headerSafe, headerUnsafe } from "./header-text.ts";
import { ModelType } from "./model-type.ts";
import { Deleted } from "./page.ts";
import { nameOf } from "./plain-name.ts";
import { Quantization } from "./routing.ts";
import { Instant } from "./time.ts";

/** The dialect that a provider speaks; vendors that share one differ by their preset. */
export const ProviderKind = z.enum(["builtin", "openai-compatible", "cohere", "gemini", "anthropic"]);
export type ProviderKind = z.infer<typeof ProviderKind>;

/** Presets set the address, authentication and known differences from the dialect; `custom` sets nothing. */
export const ProviderPreset = z.enum([
  "custom",
  "openai",
  "azure-openai",
  "mistral",
  "together",
  "fireworks",
  "deepinfra",
  "groq",
  "voyage",
  "jina",
  "nebius",
  "openrouter",
  "deepseek",
  "xai",
  "elevenlabs",
  "ollama",
  "vllm",
  "tei",
  "lm-studio",
  "llama-cpp",
  "cohere",
  "gemini",
  "anthropic",
  "gatehouse",
]);
export type ProviderPreset = z.infer<typeof ProviderPreset>;

export const ProviderSlug = z
  .string()
  .check(
    z.regex(
      /^[a-z0-9][a-z0-9._-]{0,63}$/,
      "must be 1 to 64 lowercase letters, digits, '.', '_' or '-', starting with a letter or digit",
    ),
  );

const PriceText = z
  .string()
  .check(z.regex(/^\d{1,9}(\.\d{1,18})?$/, 'must be a decimal number of USD as a string, such as "0.00000002"'));

/** What an image of one quality and size costs; absent: whichever. Of several that fit a call, the first one counts. */
const OutputImagePrice = z.strictObject({
  quality: z.optional(z.string().check(z.maxLength(20))),
  size: z.optional(z.string().check(z.regex(/^(512|[124]K|\d{2,5}x\d{2,5})$/, "must be such as 1024x1536 or 2K"))),
  price: PriceText,
});

/** What a second of video of one size costs. Of several that fit a call, the first one counts. */
const SecondPrice = z.strictObject({
  size: z
    .string()
    .check(z.regex(/^(480p|720p|768p|1080p|[124]K|\d{2,5}x\d{2,5})$/, "must be such as 1280x720 or 1080p")),
  price: PriceText,
});

/**
 * USD per token (prompt, completion, images in the answer of a chat model, read from and written to the vendor's cache), per image that is sent, per request, per character that is spoken,
 * per second that is heard or filmed and per image that is made, as decimal strings. A video model's request is a video. A rerank model's request is a search unit where its provider bills by them.
 */
export const ModelPricing = z.strictObject({
  prompt: PriceText,
  completion: z.optional(PriceText),
  image: z.optional(PriceText),
  image_output: z.optional(PriceText),
  request: z.optional(PriceText),
  input_cache_read: z.optional(PriceText),
  input_cache_write: z.optional(PriceText),
  input_cache_write_1h: z.optional(PriceText),
  character: z.optional(PriceText),
  second: z.optional(PriceText),
  seconds: z.optional(list(SecondPrice, { most: 50 })),
  output_image: z.optional(PriceText),
  output_images: z.optional(list(OutputImagePrice, { most: 50 })),
});
export type ModelPricing = z.infer<typeof ModelPricing>;

/** What a caller puts in `model`: `author/slug`, with an optional `:variant`. */
export const ModelId = z
  .string()
  .check(
    z.maxLength(200),
    z.regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.\-:]*$/, "must be author/slug, such as acme/embed-small"),
  );

const count = (maximum: number) =>
  z.int().check(z.minimum(1, "must be 1 or more"), z.maximum(maximum, `must be at most ${maximum}`));

const InputType = z.string().check(z.minLength(1), z.maxLength(100));
const Prefix = z.string().check(z.minLength(1), z.maxLength(2_000));

/** One model as one provider offers it. */
export const ProviderModel = z.strictObject({
  id: ModelId,
  /** the vendor's own name for it */
  upstream_id: z.string().check(z.minLength(1), z.maxLength(200)),
  type: ModelType,
  name: z.optional(nameOf(200)),
  description: z.optional(z.string().check(z.maxLength(2_000))),
  /** tokens; null: not known */
  context_length: z.optional(z.nullable(count(100_000_000))),
  /** embedding: the vector's length; candidates of one model id are fallbacks for one another only when it is equal */
  dimensions: z.optional(z.nullable(count(65_536))),
  /** embedding: lengths that can be requested; null: not stated, so the vendor decides on lengths up to `dimensions` */
  dimensions_range: z.optional(z.nullable(z.strictObject({ minimum: count(65_536), maximum: count(65_536) }))),
  /** embedding: most inputs in one upstream request; null: unknown, so batches are sent as they are */
  max_batch: z.optional(z.nullable(count(100_000))),
  /** embedding: what `input_type` is where a caller gives none; null: the vendor decides */
  input_type: z.optional(z.nullable(InputType)),
  /** embedding: put before each text whose input type is query or search_query, instead of telling the vendor the type */
  query_prefix: z.optional(z.nullable(Prefix)),
  /** embedding: the same for document, search_document and passage */
  document_prefix: z.optional(z.nullable(Prefix)),
  /** embedding: of the weights, where the admin knows it: another revision is another vector space */
  revision: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(200)))),
  /** chat: most tokens in one answer */
  max_completion_tokens: z.optional(z.nullable(count(100_000_000))),
  input_modalities: z.optional(list(z.enum(["text", "image", "audio", "file", "video"]), { least: 1, most: 5 })),
  /** null: the price is unknown, and the model counts as unpriced */
  pricing: z.optional(z.nullable(ModelPricing)),
  quantization: z.optional(z.nullable(Quantization)),
  /** model call members that the vendor accepts; null: not stated */
  supported_parameters: z.optional(z.nullable(list(z.string().check(z.maxLength(64)), { most: 64 }))),
  /** chat: its output may be used to train other models; null: not stated */
  distillable: z.optional(z.nullable(z.boolean())),
  enabled: z.optional(z.boolean()),
});
export type ProviderModel = z.infer<typeof ProviderModel>;

const BaseUrl = z
  .string()
  .check(
    z.maxLength(500),
    z.regex(
      /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i,
      "must be an absolute http or https address without user name or query, such as https://api.example.com/v1",
    ),
  );
const Link = z.optional(
  z.nullable(
    z
      .string()
      .check(
        z.maxLength(500),
        z.regex(
          /^(https?:\/\/(?![^/?#]*@)|$)/i,
          "must be an address that begins with https:// or http://, without user name or password",
        ),
      ),
  ),
);
const Name = nameOf(100);
const ApiKey = z.optional(
  z.nullable(
    z
      .string()
      .check(
        z.minLength(1, "must have at least one character; use null for none"),
        z.maxLength(10_000),
        z.regex(headerSafe, headerUnsafe),
      ),
  ),
);
const mostTimeoutSeconds = 3_600;
const wholeSeconds = `must be a whole number of seconds from 1 to ${mostTimeoutSeconds}`;
const Options = z.strictObject({
  /** Azure OpenAI: the `api-version` query member */
  api_version: z.optional(z.string().check(z.regex(/^[A-Za-z0-9.-]{1,40}$/, "must be a version such as 2024-10-21"))),
  /** how long to wait for the first byte, and between two pieces of an answer; default: GATEHOUSE_UPSTREAM_TIMEOUT */
  timeout_seconds: z.optional(
    z.int(wholeSeconds).check(z.minimum(1, wholeSeconds), z.maximum(mostTimeoutSeconds, wholeSeconds)),
  ),
});
export type ProviderOptions = Readonly<z.infer<typeof Options>>;
const Models = list(ProviderModel, { most: 2_000 });

const settings = {
  preset: z.optional(ProviderPreset),
  data_collection: z.optional(z.enum(["allow", "deny"])),
  /** the vendor retains nothing of a request (zero data retention) */
  zdr: z.optional(z.boolean()),
  enabled: z.optional(z.boolean()),
  options: z.optional(Options),
  /** lower goes first where nothing else decides */
  position: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
  privacy_policy_url: Link,
  terms_of_service_url: Link,
  status_page_url: Link,
};

export const CreateProviderBody = z.strictObject({
  slug: ProviderSlug,
  name: Name,
  kind: ProviderKind,
  /** optional where the preset has one */
  base_url: z.optional(BaseUrl),
  api_key: ApiKey,
  models: z.optional(Models),
  ...settings,
});
export type CreateProviderBody = z.infer<typeof CreateProviderBody>;

/** Absent members keep their value, and so does an `api_key` sent back masked. `models` replaces the whole list. */
export const UpdateProviderBody = z.strictObject({
  name: z.optional(Name),
  base_url: z.optional(BaseUrl),
  api_key: ApiKey,
  models: z.optional(Models),
  ...settings,
});
export type UpdateProviderBody = z.infer<typeof UpdateProviderBody>;

const ledgerFigures = {
  calls: z.int(),
  /**
   * failures that the provider caused; excludes calls that the caller abandoned or got wrong, and failures that another
   * provider made up for
   */
  failures: z.int(),
};

/** Observations of a provider's calls: by this process in the last 30 minutes, and on the ledger. */
export const ProviderHealth = z.object({
  /**
   * By recent calls. `idle`: there was none in the last three UTC hours; `slow`: half of them took over 10 s to begin;
   * `failing`: a tenth of at least 5 failed, or all of fewer; `credentials`: the vendor refused the key; `overloaded` and
   * `down`: calls are held back, because it is overloaded or for what else failed
   */
  status: z.enum(["idle", "up", "slow", "failing", "overloaded", "credentials", "down"]),
  /**
   * The calls that decide it: those that this process saw in the last 30 minutes, where they are at least 5 or all failed;
   * else those of all processes in the last three UTC hours; null: there was none
   */
  recent: z.nullable(z.object({ calls: z.int(), error_rate: z.number(), minutes: z.int() })),
  calls_last_30m: z.int(),
  error_rate_last_30m: z.nullable(z.number()),
  overload_rate_last_30m: z.nullable(z.number()),
  latency_p50_ms: z.nullable(z.number()),
  latency_p95_ms: z.nullable(z.number()),
  /** when the next call is let through as a probe; null unless held back */
  retry_at: z.nullable(Instant),
  last_failure: z.nullable(
    z.object({ at: Instant, reason: z.string(), message: z.string(), status: z.nullable(z.int()) }),
  ),
  /** over all processes, in the last 24 UTC hours including the current one: the calls that ended at this provider */
  ledger: z.object({
    ...ledgerFigures,
    /** oldest first; hours without calls are there with zeros */
    hours: z.array(z.object({ at: Instant, ...ledgerFigures })),
    models: z.array(z.object({ id: z.string(), ...ledgerFigures })),
    /** the start of the UTC hour in which the last call ended, however long ago; null: there was none */
    last_call_hour: z.nullable(Instant),
  }),
});
export type ProviderHealth = z.infer<typeof ProviderHealth>;

/** A provider as its admin sees it. `api_key` is masked. */
export const ProviderRecord = z.object({
  slug: z.string(),
  name: z.string(),
  kind: ProviderKind,
  preset: ProviderPreset,
  base_url: z.nullable(z.string()),
  api_key: z.nullable(z.string()),
  data_collection: z.enum(["allow", "deny"]),
  zdr: z.boolean(),
  enabled: z.boolean(),
  options: z.object({ api_version: z.optional(z.string()), timeout_seconds: z.optional(z.int()) }),
  position: z.int(),
  privacy_policy_url: z.nullable(z.string()),
  terms_of_service_url: z.nullable(z.string()),
  status_page_url: z.nullable(z.string()),
  models: z.array(
    z.object({
      id: z.string(),
      upstream_id: z.string(),
      type: ModelType,
      name: z.string(),
      description: z.string(),
      context_length: z.nullable(z.int()),
      dimensions: z.nullable(z.int()),
      dimensions_range: z.nullable(z.object({ minimum: z.int(), maximum: z.int() })),
      max_batch: z.nullable(z.int()),
      input_type: z.nullable(z.string()),
      query_prefix: z.nullable(z.string()),
      document_prefix: z.nullable(z.string()),
      revision: z.nullable(z.string()),
      max_completion_tokens: z.nullable(z.int()),
      input_modalities: z.array(z.string()),
      pricing: z.nullable(
        z.object({
          prompt: z.string(),
          completion: z.optional(z.string()),
          image: z.optional(z.string()),
          request: z.optional(z.string()),
          image_output: z.optional(z.string()),
          input_cache_read: z.optional(z.string()),
          input_cache_write: z.optional(z.string()),
          input_cache_write_1h: z.optional(z.string()),
          character: z.optional(z.string()),
          second: z.optional(z.string()),
          seconds: z.optional(z.array(z.object({ size: z.string(), price: z.string() }))),
          output_image: z.optional(z.string()),
          output_images: z.optional(
            z.array(z.object({ quality: z.optional(z.string()), size: z.optional(z.string()), price: z.string() })),
          ),
        }),
      ),
      quantization: z.nullable(z.string()),
      supported_parameters: z.nullable(z.array(z.string())),
      distillable: z.nullable(z.boolean()),
      enabled: z.boolean(),
    }),
  ),
  health: ProviderHealth,
  created_at: Instant,
  updated_at: z.nullable(Instant),
});
export type ProviderRecord = z.infer<typeof ProviderRecord>;

const OneProvider = z.object({ data: ProviderRecord });
const params = z.strictObject({ slug: ProviderSlug });
const tag = "Providers";
const auth = "management";

export const createProvider = endpoint({
  name: "createProvider",
  method: "POST",
  path: "/providers",
  tag,
  auth,
  summary: "Add a provider with its models",
  body: CreateProviderBody,
  bodyLimit: megabytes(1),
  status: 201,
  returns: OneProvider,
  errors: [400, 401, 403, 409, 413, 500],
});

export const listProviderSettings = endpoint({
  name: "listProviderSettings",
  method: "GET",
  path: "/provider-settings",
  tag,
  auth,
  summary: "List the providers with their settings, models and health",
  returns: z.object({ data: z.array(ProviderRecord) }),
  errors: [401, 403, 500],
});

export const getProvider = endpoint({
  name: "getProvider",
  method: "GET",
  path: "/providers/{slug}",
  tag,
  auth,
  summary: "Read a provider with its settings, models and health",
  params,
  returns: OneProvider,
  answerHeaders: ["ETag"],
  errors: [401, 403, 404, 500],
});

export const updateProvider = endpoint({
  name: "updateProvider",
  method: "PATCH",
  path: "/providers/{slug}",
  tag,
  auth,
  summary: "Change a provider; absent members and masked secrets stay",
  description: "With `If-Match`, a provider whose settings changed since answers 409.",
  params,
  body: UpdateProviderBody,
  bodyLimit: megabytes(1),
  headers: ["If-Match"],
  returns: OneProvider,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const deleteProvider = endpoint({
  name: "deleteProvider",
  method: "DELETE",
  path: "/providers/{slug}",
  tag,
  auth,
  summary: "Remove a provider and its models; what it served stays on the ledger",
  params,
  headers: ["If-Match"],
  returns: Deleted,
  errors: [400, 401, 403, 404, 409, 500],
});

/** The result of one test call. When `ok` is false, it carries the vendor's own message. */
export const ProviderTest = z.object({
  ok: z.boolean(),
  latency_ms: z.int(),
  /** the vendor's HTTP status; null when there was no answer */
  status: z.nullable(z.int()),
  message: z.string(),
  /** the vendor's model names, at most 1,000; names over 200 characters are omitted */
  models: z.array(z.string()),
});
export type ProviderTest = z.infer<typeof ProviderTest>;

export const testProvider = endpoint({
  name: "testProvider",
  method: "POST",
  path: "/providers/{slug}/test",
  tag,
  auth,
  summary: "Ask the vendor for its model list with the stored address and credentials; costs nothing",
  params,
  returns: z.object({ data: ProviderTest }),
  errors: [401, 403, 404, 500],
});

/** Settings as typed, before they are saved. */
export const TestProviderSettingsBody = z.strictObject({
  /** a stored provider whose settings replace omitted ones, and whose key replaces a masked one */
  slug: z.optional(ProviderSlug),
  /** must be given without `slug` */
  kind: z.optional(ProviderKind),
  preset: z.optional(ProviderPreset),
  base_url: z.optional(BaseUrl),
  api_key: ApiKey,
  options: z.optional(Options),
});
export type TestProviderSettingsBody = z.infer<typeof TestProviderSettingsBody>;

export const testProviderSettings = endpoint({
  name: "testProviderSettings",
  method: "POST",
  path: "/provider-settings/test",
  tag,
  auth,
  summary: "Ask a vendor for its model list with settings that are not saved; costs nothing and stores nothing",
  description:
    "With `slug`, what is left out is taken from that provider. Its key is not sent to another host: give the key again where `base_url` leads elsewhere.",
  body: TestProviderSettingsBody,
  returns: z.object({ data: ProviderTest }),
  errors: [400, 401, 403, 404, 413, 500],
});

/** The public listing's record. */
export const PublicProvider = z.object({
  slug: z.string(),
  name: z.string(),
  privacy_policy_url: z.nullable(z.string()),
  terms_of_service_url: z.nullable(z.string()),
  status_page_url: z.nullable(z.string()),
  headquarters: z.nullable(z.string()),
  datacenters: z.nullable(z.array(z.string())),
});
export type PublicProvider = z.infer<typeof PublicProvider>;

export const listProviders = endpoint({
  name: "listProviders",
  method: "GET",
  path: "/providers",
  tag,
  auth: "none",
  summary: "List the providers that serve models here",
  returns: z.object({ data: z.array(PublicProvider) }),
  errors: [500],
});

/** A model server that answered on this machine and is not a provider yet. */
export const DetectedProvider = z.object({
  preset: ProviderPreset,
  name: z.string(),
  base_url: z.string(),
  models: z.array(z.string()),
});
export type DetectedProvider = z.infer<typeof DetectedProvider>;

export const listDetectedProviders = endpoint({
  name: "listDetectedProviders",
  method: "GET",
  path: "/provider-settings/detected",
  tag,
  auth,
  summary: "Look for model servers on this machine that could be added",
  description:
    "Asks Ollama's, LM Studio's, vLLM's and llama.cpp's usual ports on 127.0.0.1 for their models, for at most 1.5 seconds. Only when this is called, once in ten seconds at most, and never where `GATEHOUSE_PRIVATE_NETWORKS` denies it.",
  returns: z.object({ data: z.array(DetectedProvider) }),
  errors: [401, 403, 500],
});
