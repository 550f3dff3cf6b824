import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Instant } from "./time.ts";

export const FeedbackCategory = z.enum([
  "latency",
  "incoherence",
  "incorrect_response",
  "formatting",
  "billing",
  "api_error",
  "other",
]);
export type FeedbackCategory = z.infer<typeof FeedbackCategory>;

const GenerationId = z.string().check(z.minLength(1), z.maxLength(255));

export const submitGenerationFeedback = endpoint({
  name: "submitGenerationFeedback",
  method: "POST",
  path: "/generation/feedback",
  tag: "Generations",
  summary: "Give feedback on a model call",
  description: "A key's second feedback on a call replaces its first. Comments are stored encrypted.",
  auth: "management",
  body: z.strictObject({
    generation_id: GenerationId,
    category: FeedbackCategory,
    comment: z.optional(z.string().check(z.maxLength(1_000, "must have at most 1,000 characters"))),
  }),
  returns: z.object({ data: z.object({ success: z.literal(true) }) }),
  errors: [400, 401, 403, 404, 413, 429, 500],
});

export const GenerationFeedback = z.object({
  category: FeedbackCategory,
  comment: z.nullable(z.string()),
  /** the management key that gave it */
  author: z.string(),
  created_at: Instant,
});
export type GenerationFeedback = z.infer<typeof GenerationFeedback>;

export const listGenerationFeedback = endpoint({
  name: "listGenerationFeedback",
  method: "GET",
  path: "/generation/feedback",
  tag: "Generations",
  summary: "List the feedback on a model call",
  description: "The latest first. Beyond the public API.",
  auth: "management",
  query: z.strictObject({ id: GenerationId }),
  returns: z.object({ data: z.array(GenerationFeedback) }),
  errors: [400, 401, 403, 404, 500],
});
