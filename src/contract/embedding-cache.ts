import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Usd } from "./money.ts";
import { queryInteger } from "./page.ts";
import { Instant } from "./time.ts";
import { WorkspaceReference } from "./workspaces.ts";

const saved = {
  /** what the inputs would have cost at the price of the first provider that could have served them */
  saved: Usd,
  /** inputs whose vectors came from this cache */
  inputs: z.int(),
  /** answered calls of which no input went to a provider */
  calls: z.int(),
};

/** What a workspace's durable embedding cache holds, and what it saved. */
export const EmbeddingCacheRecord = z.object({
  enabled: z.boolean(),
  /** when it was turned on or emptied; null: it is off */
  since: z.nullable(Instant),
  entries: z.int(),
  bytes: z.int(),
  max_bytes: z.nullable(z.int()),
  max_age_days: z.nullable(z.int()),
  savings: z.object({
    /** counted from here, the start of a UTC day, until now */
    since: Instant,
    ...saved,
    /** oldest first; the last one is today */
    days: z.array(z.object({ date: z.string(), ...saved })),
  }),
});
export type EmbeddingCacheRecord = z.infer<typeof EmbeddingCacheRecord>;

export const getEmbeddingCache = endpoint({
  name: "getEmbeddingCache",
  method: "GET",
  path: "/workspaces/{id}/embedding-cache",
  tag: "Workspaces",
  summary: "Get what the embedding cache of a workspace holds and saved",
  description:
    "Of the durable cache, which `embedding_cache_mb` of the workspace turns on. Savings are added up from the calls as they were recorded, whether or not the cache is on now. Beyond the public API.",
  auth: "management",
  params: WorkspaceReference,
  query: z.strictObject({
    /** the last so many UTC days, today included; default 30 */
    last: z.optional(queryInteger(1, 366)),
  }),
  returns: z.object({ data: EmbeddingCacheRecord }),
  errors: [400, 401, 403, 404, 500],
});

export const clearEmbeddingCache = endpoint({
  name: "clearEmbeddingCache",
  method: "DELETE",
  path: "/workspaces/{id}/embedding-cache",
  tag: "Workspaces",
  summary: "Empty the embedding cache of a workspace",
  description:
    "It stays on. Every process stops using its entries within 5 seconds, and they are deleted shortly after. Beyond the public API.",
  auth: "management",
  params: WorkspaceReference,
  returns: z.object({ data: z.object({ /** how many it held */ entries: z.int() }) }),
  errors: [400, 401, 403, 404, 500],
});
