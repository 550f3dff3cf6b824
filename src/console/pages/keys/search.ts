import * as z from "zod/mini";
import { KeySort, KeyStatus } from "#contract/keys.ts";
import { hasOwnFilters } from "./filters.ts";

/**
 * The list's state, as it stands in the address. What is not of its shape is dropped, never an error page.
 * Defaults are absent, so that an address says only what is unusual.
 */
export const KeysSearch = z.object({
  q: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
  status: z.catch(z.optional(KeyStatus), undefined),
  sort: z.catch(z.optional(KeySort), undefined),
  order: z.catch(z.optional(z.enum(["asc", "desc"])), undefined),
  limit: z.catch(z.optional(z.enum(["none", "some", "near"])), undefined),
  expires: z.catch(z.optional(z.enum(["never", "7d", "30d"])), undefined),
  creator: z.catch(z.optional(z.string().check(z.maxLength(255))), undefined),
  /** which of the usage figures the table shows; the week unless said otherwise */
  usage: z.catch(z.optional(z.enum(["day", "month", "total"])), undefined),
});
export type KeysSearch = z.infer<typeof KeysSearch>;
export type UsagePeriod = "day" | "week" | "month" | "total";

/** The order that a first click on a column's head gives: names from A, everything else from the largest or latest. */
export function sortBy(search: KeysSearch, column: KeySort): KeysSearch {
  const own = defaultOrder(column);
  const turned = (search.sort ?? "created_at") === column && (search.order ?? own) === own;
  return {
    ...search,
    sort: column === "created_at" ? undefined : column,
    order: turned ? (own === "asc" ? "desc" : "asc") : undefined,
  };
}

export function defaultOrder(column: KeySort): "asc" | "desc" {
  return column === "name" || column === "expires_at" ? "asc" : "desc";
}

export function hasFilters(search: KeysSearch): boolean {
  return Boolean(search.q) || search.status !== undefined || hasOwnFilters(search);
}
