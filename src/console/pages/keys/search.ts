import * as z from "zod/mini";
import { KeyExpiry, KeySort, KeyStatus, LimitState } from "#contract/keys.ts";

/**
 * The list's state, as it appears in the URL. Invalid parameters are dropped and never cause an error page.
 * Defaults are absent, so that an address says only what is unusual.
 */
export const KeysSearch = z.object({
  q: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
  status: z.catch(z.optional(KeyStatus), undefined),
  sort: z.catch(z.optional(KeySort), undefined),
  order: z.catch(z.optional(z.enum(["asc", "desc"])), undefined),
  limit: z.catch(z.optional(LimitState), undefined),
  expires: z.catch(z.optional(KeyExpiry), undefined),
  creator: z.catch(z.optional(z.string().check(z.maxLength(255))), undefined),
  /** which of the usage figures the table shows; the week unless said otherwise */
  usage: z.catch(z.optional(z.enum(["day", "month", "total"])), undefined),
});
export type KeysSearch = z.infer<typeof KeysSearch>;
export type UsagePeriod = "day" | "week" | "month" | "total";

/** The order by what the columns "Used" and "BYOK" show. */
const suffixes = { day: "_daily", week: "_weekly", month: "_monthly", total: "" } as const;
export const usageSort = (shown: UsagePeriod) => `usage${suffixes[shown]}` as const satisfies KeySort;
export const byokSort = (shown: UsagePeriod) => `byok_${usageSort(shown)}` as const satisfies KeySort;

/** Another period in the columns of usage: an order by one of them follows it. */
export function showUsage(search: KeysSearch, usage: UsagePeriod): KeysSearch {
  const shown = search.usage ?? "week";
  const kind = [usageSort, byokSort].find((sort) => sort(shown) === search.sort);
  return { ...(kind && { sort: kind(usage) }), usage: usage === "week" ? undefined : usage };
}

const fromTheLeast: ReadonlySet<KeySort> = new Set([
  "name",
  "expires_at",
  "limit_remaining",
  "lasts_until",
  "status",
  "workspace",
]);

/** The order that a first click on a column's head gives: names from A, what ends from the soonest, everything else from the largest or latest. */
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
  return fromTheLeast.has(column) ? "asc" : "desc";
}

export function hasFilters(search: KeysSearch): boolean {
  const { q, status, limit, expires, creator } = search;
  return Boolean(q) || [status, limit, expires, creator].some((filter) => filter !== undefined);
}
