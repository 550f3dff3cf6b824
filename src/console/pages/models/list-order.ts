import type { ModelOrder, ModelsSearch } from "./search.ts";

/** The order of a first click: ids and prices from the least, lengths from the most. */
export function defaultOrder(sort: ModelOrder): "asc" | "desc" {
  return sort === "id" || sort === "price" ? "asc" : "desc";
}

export function sortBy(search: ModelsSearch, sort: ModelOrder): ModelsSearch {
  const own = defaultOrder(sort);
  const turned = (search.sort ?? "id") === sort && (search.order ?? own) === own;
  return {
    ...search,
    sort: sort === "id" ? undefined : sort,
    order: turned ? (own === "asc" ? "desc" : "asc") : undefined,
  };
}

export function hasFilters({ q, type, provider, price }: ModelsSearch): boolean {
  return Boolean(q) || type !== undefined || provider !== undefined || price !== undefined;
}
