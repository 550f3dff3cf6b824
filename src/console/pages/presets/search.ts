import * as z from "zod/mini";

const number = z.catch(z.optional(z.int().check(z.positive(), z.lte(999_999_999))), undefined);

/** The list's filters as they appear in the URL; invalid ones are dropped. */
export const PresetsSearch = z.object({
  q: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
  status: z.catch(z.optional(z.enum(["active", "disabled", "archived"])), undefined),
});
export type PresetsSearch = z.infer<typeof PresetsSearch>;

/** The comparison as it appears in the URL; absent: the last change. */
export const PresetSearch = z.object({
  /** the numbers of two versions */
  from: number,
  to: number,
});
export type PresetSearch = z.infer<typeof PresetSearch>;
