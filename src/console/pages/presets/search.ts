import * as z from "zod/mini";

const number = z.catch(z.optional(z.int().check(z.positive(), z.lte(999_999_999))), undefined);

/** The comparison as it appears in the URL; absent: the last change. */
export const PresetSearch = z.object({
  /** the numbers of two versions */
  from: number,
  to: number,
});
export type PresetSearch = z.infer<typeof PresetSearch>;
