import * as z from "zod/mini";
import { endpoint, megabytes, modelCallHeaders } from "./endpoint.ts";
import { list } from "./list.ts";
import { ProviderPreferences } from "./routing.ts";

/** Per call. */
export const mostDocuments = 2_048;

const Text = z.string().check(z.minLength(1));

/** A document to rank: a text, or a text, an image (an address or a data URL) or both. */
export const RerankDocument = z.union(
  [
    Text,
    z
      .strictObject({ text: z.optional(z.nullable(Text)), image: z.optional(z.nullable(Text)) })
      .check(z.refine(({ text, image }) => Boolean(text) || Boolean(image), "must have a `text`, an `image`, or both")),
  ],
  "must be a text, or an object with `text`, `image` or both",
);
export type RerankDocument = z.infer<typeof RerankDocument>;

/** Members that are not listed are the provider's own and are passed on. */
export const RerankBody = z.looseObject({
  /** a rerank model, or an embedding model: its vectors then order the documents by cosine similarity */
  model: Text,
  query: Text,
  documents: list(RerankDocument, { least: 1, most: mostDocuments }),
  /** how many of the best results are returned; default: all */
  top_n: z.optional(z.nullable(z.int().check(z.minimum(1, "must be 1 or more")))),
  user: z.optional(z.nullable(z.string())),
  provider: z.optional(z.nullable(ProviderPreferences)),
  session_id: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  trace: z.optional(z.nullable(z.looseObject({}))),
});
export type RerankBody = z.infer<typeof RerankBody>;

export const RerankResult = z.object({
  id: z.string(),
  model: z.string(),
  provider: z.string(),
  /** the most relevant first */
  results: z.array(
    z.object({
      /** of the document in the request */
      index: z.int(),
      /** the provider's score, or from an embedding model the cosine similarity, -1 to 1 */
      relevance_score: z.number(),
      document: z.object({ text: z.optional(z.string()), image: z.optional(z.string()) }),
    }),
  ),
  usage: z.object({
    /** USD charged for this call */
    cost: z.number(),
    is_byok: z.boolean(),
    /** where the provider bills by them */
    search_units: z.optional(z.int()),
    total_tokens: z.optional(z.int()),
  }),
  /** at the paths of Cohere's clients, `/v1/rerank` and `/v2/rerank`, as they require it */
  meta: z.optional(
    z.object({
      api_version: z.object({ version: z.string() }),
      billed_units: z.object({ search_units: z.optional(z.int()), input_tokens: z.optional(z.int()) }),
    }),
  ),
});
export type RerankResult = z.infer<typeof RerankResult>;

export const createRerank = endpoint({
  name: "createRerank",
  method: "POST",
  path: "/rerank",
  tag: "Rerank",
  summary: "Order documents by how relevant they are to a query",
  description:
    "With a rerank model the provider scores the documents. With an embedding model the gateway embeds the query and the documents, orders them by cosine similarity, and charges what embedding them costs; documents beyond the model's context are cut at their end.",
  auth: "ordinary",
  body: RerankBody,
  bodyLimit: megabytes(32),
  headers: modelCallHeaders,
  returns: RerankResult,
  answerHeaders: ["X-Generation-Id"],
  errors: [400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 524, 529],
});
