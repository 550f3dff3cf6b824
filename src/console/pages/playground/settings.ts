import * as z from "zod/mini";

export const viewNames = ["list", "search", "matrix", "map", "check", "vectors", "compare", "code"] as const;
export type ViewName = (typeof viewNames)[number];

const text = z.catch(z.optional(z.string().check(z.maxLength(200))), undefined);
const flag = z.catch(z.optional(z.boolean()), undefined);

/** What an address of the playground holds: settings only. Texts and images are never in it. */
export const PlaygroundSearch = z.object({
  view: z.catch(z.optional(z.enum(viewNames)), undefined),
  model: text,
  dimensions: z.catch(z.optional(z.int().check(z.minimum(1), z.maximum(100_000))), undefined),
  /** slugs of providers, the first to be tried first, with commas between them */
  order: text,
  /** false: only the first candidate is tried */
  fallbacks: flag,
  /** false: no provider that stores or trains on what is sent */
  collect: flag,
  /** the id of the vector space that answers must be of */
  space: z.catch(z.optional(z.string().check(z.regex(/^vs_[\da-f-]{1,40}$/))), undefined),
  /** true: a row's role goes along as `input_type` */
  roles: flag,
  /** true: too long a text is cut at its end instead of refused */
  cut: flag,
  /** a run that costs more is asked about first, in USD */
  ceiling: z.catch(z.optional(z.number().check(z.minimum(0), z.maximum(1_000_000))), undefined),
});
export type PlaygroundSearch = z.infer<typeof PlaygroundSearch>;

/** Put before each query, and before each document, for models that were trained so. Words of a person: in no address. */
export interface Prefixes {
  query: string;
  document: string;
}

/** A run's settings: everything apart from its texts. */
export type Settings = PlaygroundSearch & Prefixes;

/** The body of a call, without its input, as the settings make it. */
export function bodyOf(search: PlaygroundSearch, model: string): Record<string, unknown> {
  const order = search.order?.split(",").filter(Boolean) ?? [];
  const provider = {
    ...(order.length > 0 && { order }),
    ...(search.fallbacks === false && { allow_fallbacks: false }),
    ...(search.collect === false && { data_collection: "deny" }),
    ...(search.space !== undefined && { require_vector_space: search.space }),
  };
  return {
    model,
    ...(search.dimensions !== undefined && { dimensions: search.dimensions }),
    ...(search.cut === true && { truncate: true }),
    ...(Object.keys(provider).length > 0 && { provider }),
  };
}
