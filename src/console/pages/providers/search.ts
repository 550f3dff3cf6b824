import * as z from "zod/mini";

/** The panels' parameters in the URL; invalid ones are dropped. */
export const ProviderSearch = z.object({
  /** the vendor that a new provider's form is filled in for; not checked here, where every page would load the vendors */
  preset: z.catch(z.optional(z.string().check(z.maxLength(40))), undefined),
  /** the model that is edited */
  model: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
});
export type ProviderSearch = z.infer<typeof ProviderSearch>;
