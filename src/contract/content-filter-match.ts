import * as z from "zod/mini";

/** What a content filter does where it finds something; the first of several that find something decides. */
export const FilterAction = z.enum(["block", "redact", "flag"]);
export type FilterAction = z.infer<typeof FilterAction>;

/** What one content filter found in a call's request: never the text itself. */
export const ContentFilterMatch = z.object({
  label: z.string(),
  action: FilterAction,
  /** how often; 0 is left out */
  count: z.int(),
});
export type ContentFilterMatch = z.infer<typeof ContentFilterMatch>;
