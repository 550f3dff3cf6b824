import type { CallsSearch } from "./search.ts";

export function hasFilters({ group: _, sort: __, order: ___, ...filters }: CallsSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** What was refused before a model was called has none of these to be found by. */
const ofCallsMade = ["model", "provider", "session", "preset", "batch", "user", "app"] as const;

/** The filters in use that refused calls cannot be found by. */
export function filtersOfCallsMade(search: CallsSearch): string[] {
  return ofCallsMade.filter((name) => search[name] !== undefined);
}

/** The search with the filters only that refused calls can be found by. */
export function withoutApart(search: CallsSearch): CallsSearch {
  const apart: readonly string[] = ofCallsMade;
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined && !apart.includes(name)),
  );
}

/** Whether a call with this status, as the filter says it, can have been refused before it was made. */
export function canBeRefused(status: string | undefined): boolean {
  return !/^(succeeded|[23]\d\d)$/.test(status ?? "");
}

/** The status as refused calls are listed by it. */
export function refusedStatus(status: string | undefined): string | undefined {
  return status === "failed" || status === "refused" || !canBeRefused(status) ? undefined : status;
}
