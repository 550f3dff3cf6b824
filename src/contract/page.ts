import * as z from "zod/mini";

/** An integer in a query string. */
export const queryInteger = (minimum: number, maximum: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^-?\d{1,15}$/, "must be a whole number")), z.transform(Number)),
    z.int().check(z.minimum(minimum, `must be ${minimum} or more`), z.maximum(maximum, `must be at most ${maximum}`)),
  );

/** Where a page begins; an empty cursor counts as absent. */
export const queryOffset = z.optional(
  z.pipe(
    z.pipe(
      z.string().check(z.regex(/^(-?\d{1,15})?$/, "must be a whole number")),
      z.transform((text) => (text === "" ? undefined : Number(text))),
    ),
    z.optional(
      z.int().check(z.minimum(0, "must be 0 or more"), z.maximum(1_000_000_000, "must be at most 1000000000")),
    ),
  ),
);

/** One workspace or all of them, in a query string; absent, it depends on the endpoint. */
export const queryWorkspace = z.optional(
  z.union([z.uuid(), z.literal("all")], "must be a workspace's id (a UUID) or `all`"),
);

/** A flag in a query string: `true` or `false` (also `1` and `0`). */
export const queryFlag = z.pipe(
  z.enum(["true", "false", "1", "0"], "must be true or false"),
  z.transform((text) => text === "true" || text === "1"),
);

/** The paging of the management lists: `offset` and `limit`. */
export const OffsetPage = z.strictObject({
  offset: queryOffset,
  limit: z.optional(queryInteger(1, 100)),
});

/** The position after a row, opaque to callers; valid only for the same sort and filters. */
export const Cursor = z.string().check(z.maxLength(2_000));

/** `{"deleted": true}`, the answer of every deletion. */
export const Deleted = z.object({ deleted: z.literal(true) });

/** How many there are. */
export const Total = z.object({ count: z.int(), /** true where counting stopped at 10,000 */ more: z.boolean() });
