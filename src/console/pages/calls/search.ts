import * as z from "zod/mini";
import { isBound } from "../../form/time-range.ts";

const term = (longest: number) =>
  z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(longest))), undefined);

/** An end of a stretch of time in an address. */
export const bound = z.catch(z.optional(z.string().check(z.refine(isBound))), undefined);

/** The filters, as they appear in the URL. */
export const CallsSearch = z.object({
  /** a key's hash */
  key: z.catch(z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))), undefined),
  model: term(255),
  provider: term(100),
  /** a status is a number in an address, and words in the API */
  status: z.catch(
    z.optional(
      z
        .pipe(z.union([z.string(), z.number()]), z.transform(String))
        .check(z.regex(/^(succeeded|failed|refused|[2-5]\d\d)$/)),
    ),
    undefined,
  ),
  /** why calls failed or were refused: an error's type, or a limit */
  reason: term(100),
  session: term(256),
  /** a preset's slug */
  preset: term(64),
  /** a batch's id */
  batch: term(200),
  /** whom and what the caller named */
  user: term(256),
  app: term(256),
  /** calls from this instant on, and before this one */
  since: bound,
  until: bound,
  /** what the list has a line for, where it is not a call */
  group: z.catch(z.optional(z.literal("session")), undefined),
  /** absent: by time */
  sort: z.catch(z.optional(z.enum(["cost", "tokens", "duration"])), undefined),
  /** absent: the largest first */
  order: z.catch(z.optional(z.literal("asc")), undefined),
});
/** What the list is of, and not how it is shown. */
export type FilterName = Exclude<keyof CallsSearch, "group" | "sort" | "order">;
export type CallsSearch = z.infer<typeof CallsSearch>;
