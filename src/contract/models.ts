import * as z from "zod/mini";
import { queryInteger } from "./page.ts";

const Price = z.string();

/** USD per token (prompt, completion), per image and per request, as decimal strings. */
export const Pricing = z.looseObject({
  prompt: Price,
  completion: Price,
  request: z.optional(Price),
  image: z.optional(Price),
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
  /** beyond the public API, embedding models: the vector's length, and the lengths that may be asked for */
  dimensions: z.optional(z.nullable(z.object({ default: z.int(), minimum: z.int(), maximum: z.int() }))),
});
export type ModelRecord = z.infer<typeof ModelRecord>;

export const ModelList = z.object({
  data: z.array(ModelRecord),
  links: z.object({ next: z.nullable(z.string()) }),
  total_count: z.int(),
});
export type ModelList = z.infer<typeof ModelList>;

/** Without either member the whole list is returned. */
export const ModelPage = z.strictObject({
  offset: z.optional(queryInteger(0, 1_000_000_000)),
  limit: z.optional(queryInteger(1, 1_000)),
});
