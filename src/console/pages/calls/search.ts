import * as z from "zod/mini";

const term = (longest: number) =>
  z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(longest))), undefined);

/** The filters, as they stand in the address. */
export const CallsSearch = z.object({
  /** a key's hash */
  key: z.catch(z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))), undefined),
  model: term(255),
  provider: term(100),
  /** a status is a number in an address, and words in the API */
  status: z.catch(
    z.optional(
      z.pipe(z.union([z.string(), z.number()]), z.transform(String)).check(z.regex(/^(succeeded|failed|[2-5]\d\d)$/)),
    ),
    undefined,
  ),
  session: term(256),
});
export type CallsSearch = z.infer<typeof CallsSearch>;

export function hasFilters(search: CallsSearch): boolean {
  return Object.values(search).some((value) => value !== undefined);
}
