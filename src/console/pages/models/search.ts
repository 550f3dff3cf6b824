import * as z from "zod/mini";
import { ModelType } from "#contract/model-type.ts";

const ModelOrder = z.enum(["id", "context", "dimensions", "price"]);
export type ModelOrder = z.infer<typeof ModelOrder>;

/** The list's state as it appears in the URL; defaults are absent, invalid parameters are dropped. */
export const ModelsSearch = z.object({
  q: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
  type: z.catch(z.optional(ModelType), undefined),
  /** a provider's slug */
  provider: z.catch(z.optional(z.string().check(z.maxLength(64))), undefined),
  /** `unpriced`: only what has no price somewhere */
  price: z.catch(z.optional(z.literal("unpriced")), undefined),
  sort: z.catch(z.optional(ModelOrder), undefined),
  order: z.catch(z.optional(z.enum(["asc", "desc"])), undefined),
});
export type ModelsSearch = z.infer<typeof ModelsSearch>;

export const planDays = ["30", "90", "366"] as const;

/** The plan as it appears in the URL; defaults are absent, invalid parameters are dropped. */
export const PlanSearch = z.object({
  /** the id of the model to change to */
  to: z.catch(z.optional(z.string().check(z.maxLength(255))), undefined),
  /** the days whose texts are counted */
  last: z.catch(z.optional(z.enum(planDays)), undefined),
  /** how many vectors the index holds, as somebody knows it */
  vectors: z.catch(z.optional(z.int().check(z.positive(), z.lte(1_000_000_000_000))), undefined),
  /** how many calls are made at a time */
  calls: z.catch(z.optional(z.int().check(z.positive(), z.lte(1000))), undefined),
});
export type PlanSearch = z.infer<typeof PlanSearch>;
