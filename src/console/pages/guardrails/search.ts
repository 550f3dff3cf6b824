import * as z from "zod/mini";

/** The list's filter as it appears in the URL; an invalid one is dropped. */
export const GuardrailsSearch = z.object({
  q: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
});
export type GuardrailsSearch = z.infer<typeof GuardrailsSearch>;
