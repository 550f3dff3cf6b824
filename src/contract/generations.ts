import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Usd } from "./money.ts";
import { Instant } from "./time.ts";

/** The most characters that a call's bodies may have to be stored; beyond that the call is forwarded without them. */
export const largestBody = 262_144;

const count = z.nullable(z.int());
const absent = z.null();

/** One model call as the ledger has it. Members for features that Gatehouse lacks are always null. */
export const GenerationRecord = z.object({
  id: z.string(),
  api_type: z.nullable(z.enum(["completions", "embeddings", "rerank", "tts", "stt", "image", "video"])),
  created_at: Instant,
  model: z.string(),
  provider_name: z.nullable(z.string()),
  /** USD charged, and what the provider charged the caller's own provider key */
  total_cost: Usd,
  usage: Usd,
  upstream_inference_cost: z.nullable(Usd),
  /** USD that cached inputs saved, or the whole answer from the response cache */
  cache_discount: z.nullable(Usd),
  is_byok: z.boolean(),
  tokens_prompt: count,
  tokens_completion: count,
  native_tokens_prompt: count,
  native_tokens_completion: count,
  native_tokens_reasoning: count,
  native_tokens_cached: count,
  native_tokens_completion_images: count,
  /** milliseconds */
  latency: z.nullable(z.number()),
  generation_time: z.nullable(z.number()),
  streamed: z.nullable(z.boolean()),
  cancelled: z.nullable(z.boolean()),
  finish_reason: z.nullable(z.string()),
  native_finish_reason: z.nullable(z.string()),
  upstream_id: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
  session_id: z.nullable(z.string()),
  external_user: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  http_referer: z.nullable(z.string()),
  origin: z.string(),
  workspace_id: z.nullable(z.uuid()),
  provider_responses: z.nullable(
    z.array(
      z.object({
        provider_name: z.string(),
        model_permaslug: z.string(),
        endpoint_id: z.string(),
        status: z.nullable(z.int()),
        latency: z.number(),
        is_byok: z.boolean(),
        /** attempts dropped between this one and the next; beyond the public API */
        left_out: z.optional(z.int()),
        /** beyond the public API: USD charged for a provider that was sent the call and did not answer; absent: none */
        cost: z.optional(Usd),
        /** beyond the public API: why the call was not charged at the model's price; absent: it was */
        rate: z.optional(z.string()),
      }),
    ),
  ),
  data_region: z.literal("global"),
  app_id: absent,
  moderation_latency: absent,
  num_fetches: absent,
  num_input_audio_prompt: absent,
  num_media_completion: absent,
  num_media_prompt: absent,
  num_search_results: absent,
  preset_id: z.nullable(z.uuid()),
  /** the call whose answer it was given from the response cache; null: a provider answered */
  response_cache_source_id: z.nullable(z.string()),
  router: absent,
  service_tier: absent,
  web_search_engine: absent,
  /** beyond the public API: who counted the tokens, whether the model had a price, and the status that the caller got */
  metered_by: z.enum(["upstream", "gateway"]),
  priced: z.boolean(),
  status: z.int(),
  error_type: z.nullable(z.string()),
});
export type GenerationRecord = z.infer<typeof GenerationRecord>;

const byId = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) });

export const getGeneration = endpoint({
  name: "getGeneration",
  method: "GET",
  path: "/generation",
  tag: "Generations",
  summary: "Get what is on the ledger about one model call",
  description: "An ordinary key sees the calls of its own workspace, a management key all of them.",
  auth: "any",
  query: byId,
  returns: z.object({ data: GenerationRecord }),
  errors: [400, 401, 404, 500],
});

export const GenerationContent = z.object({
  input: z.object({ prompt: z.string(), messages: z.array(z.unknown()) }),
  output: z.object({ completion: z.nullable(z.string()), reasoning: z.nullable(z.string()) }),
  error: z.nullable(
    z.object({
      message: z.string(),
      provider_name: z.nullable(z.string()),
      raw: z.nullable(z.string()),
      status: z.nullable(z.int()),
      previous_errors: z.array(
        z.object({
          code: z.int(),
          message: z.string(),
          provider_name: z.nullable(z.string()),
          raw: z.nullable(z.string()),
        }),
      ),
    }),
  ),
});
export type GenerationContent = z.infer<typeof GenerationContent>;

export const getGenerationContent = endpoint({
  name: "getGenerationContent",
  operationId: "listGenerationContent",
  method: "GET",
  path: "/generation/content",
  tag: "Generations",
  summary: "Get the input and output of one model call",
  description:
    "An ordinary key sees its own calls and those of the keys that it replaced, a management key all of them; 403 for a call of another key. 404 where the workspace did not keep bodies when the call was made.",
  auth: "any",
  query: byId,
  returns: z.object({ data: GenerationContent }),
  errors: [400, 401, 403, 404, 500],
});
