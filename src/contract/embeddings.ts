import * as z from "zod/mini";
import { cachedAnswerHeaders, endpoint, megabytes, modelCallHeaders, responseCacheHeaders } from "./endpoint.ts";
import { ModelList, ModelPage } from "./models.ts";
import { ProviderPreferences } from "./routing.ts";

export const InputPart = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string().check(z.minLength(1)) }) }),
]);
export type InputPart = z.infer<typeof InputPart>;

/** Text and images in order; one block gives one joint embedding. */
export const InputBlock = z.object({ content: z.array(InputPart).check(z.minLength(1)) });
export type InputBlock = z.infer<typeof InputBlock>;

const Token = z.int().check(z.minimum(0));
const Text = z.string().check(z.minLength(1));

/** Per call. */
export const mostInputs = 16_384;

function batchOf<Input extends z.core.$ZodType>(input: Input) {
  return z.array(input).check(z.minLength(1), z.maxLength(mostInputs));
}

/** One text, a batch of texts, one text as token ids, a batch of those, or a batch of blocks. */
export const EmbeddingInput = z.union([
  Text,
  batchOf(Text),
  z.array(Token).check(z.minLength(1)),
  batchOf(z.array(Token).check(z.minLength(1))),
  batchOf(InputBlock),
]);
export type EmbeddingInput = z.infer<typeof EmbeddingInput>;

/** The id of a vector space, as answers have it in the header `X-Vector-Space`: see docs/vector-spaces.md. */
export const VectorSpaceId = z
  .string()
  .check(
    z.regex(
      /^vs_[0-9a-f]{20}-[1-9]\d{0,4}(-[0-9a-f]{8})?$/,
      "must be the id of a vector space, as answers have it in X-Vector-Space",
    ),
  );

/** `provider` of an embeddings call. */
export const EmbeddingsPreferences = z.extend(ProviderPreferences, {
  /** candidates of other vector spaces are passed over, and an answer of another one is an error */
  require_vector_space: z.optional(z.nullable(VectorSpaceId)),
});

/** Members that are not listed are the provider's own and are passed on. */
export const EmbeddingsBody = z.looseObject({
  model: z.string().check(z.minLength(1)),
  input: EmbeddingInput,
  encoding_format: z.optional(z.nullable(z.enum(["float", "base64"]))),
  dimensions: z.optional(z.nullable(z.int().check(z.minimum(1)))),
  input_type: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
  /** true, or END: a text that is too long is cut at its end instead of refused */
  truncate: z.optional(
    z.nullable(
      z.union([z.boolean(), z.enum(["END", "NONE"])], "must be true, false, END or NONE: texts are cut at their end"),
    ),
  ),
  /** Voyage's name for `truncate` */
  truncation: z.optional(z.nullable(z.boolean())),
  stream: z.optional(z.nullable(z.literal(false, "is not possible for embeddings: the answer always comes whole"))),
  user: z.optional(z.nullable(z.string())),
  provider: z.optional(z.nullable(EmbeddingsPreferences)),
  session_id: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  trace: z.optional(z.nullable(z.looseObject({}))),
});
export type EmbeddingsBody = z.infer<typeof EmbeddingsBody>;

export const EmbeddingsUsage = z.object({
  prompt_tokens: z.int(),
  total_tokens: z.int(),
  /** USD charged for this call */
  cost: z.optional(z.number()),
  is_byok: z.optional(z.boolean()),
  prompt_tokens_details: z.optional(z.object({ text_tokens: z.optional(z.int()), image_tokens: z.optional(z.int()) })),
});

/** What a caller should know about some of the vectors. */
export const EmbeddingsWarning = z.object({
  /** `unfamiliar_language`: the texts look like a language that the model does not know */
  code: z.string(),
  message: z.string(),
  /** indexes of the inputs */
  inputs: z.array(z.int()),
});

export const EmbeddingsResult = z.object({
  id: z.optional(z.string()),
  object: z.literal("list"),
  model: z.string(),
  data: z.array(
    z.object({
      object: z.literal("embedding"),
      index: z.int(),
      /** numbers, or with `encoding_format: "base64"` the little-endian float32 bytes in base64 */
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.optional(EmbeddingsUsage),
  warnings: z.optional(z.array(EmbeddingsWarning)),
});
export type EmbeddingsResult = z.infer<typeof EmbeddingsResult>;

/** The id of the workspace whose playground a signed-in console session calls from. */
export const playgroundHeader = "x-gatehouse-playground";
/** The hash of the API key that a signed-in console session calls as, in the workspace of `playgroundHeader`. */
export const playgroundKeyHeader = "x-gatehouse-as-key";

export const createEmbeddings = endpoint({
  name: "createEmbeddings",
  method: "POST",
  path: "/embeddings",
  tag: "Embeddings",
  summary: "Turn texts, or texts and images, into vectors",
  description: "One vector per input, in input order; the same input gives the same vector. Never streamed.",
  auth: "ordinary",
  body: EmbeddingsBody,
  bodyLimit: megabytes(32),
  headers: [...modelCallHeaders, ...responseCacheHeaders],
  returns: EmbeddingsResult,
  answerHeaders: ["X-Generation-Id", "X-Vector-Space", ...cachedAnswerHeaders],
  errors: [400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 524, 529],
});

export const listEmbeddingModels = endpoint({
  name: "listEmbeddingModels",
  operationId: "listEmbeddingsModels",
  method: "GET",
  path: "/embeddings/models",
  tag: "Embeddings",
  summary: "List the embedding models",
  auth: "none",
  query: ModelPage,
  returns: ModelList,
  errors: [400, 500],
});
