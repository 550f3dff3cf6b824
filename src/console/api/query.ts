import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import type { ApiEndpoint, EndpointName } from "#contract/api.ts";
import type { Input, Output } from "#contract/endpoint.ts";
import { call, callPath, type LooseInput } from "./call.ts";

declare module "@tanstack/react-query" {
  /** Every cache key begins with the name of the endpoint that is read or called: invalidation goes by it. */
  interface Register {
    queryKey: readonly [EndpointName, ...unknown[]];
    mutationKey: readonly [EndpointName];
  }
}

/** The cache key of one call: the endpoint's name, then its input. */
export function queryKey<E extends ApiEndpoint>(endpoint: E, input: Input<E>): readonly [EndpointName, unknown] {
  return [endpoint.name, input];
}

/** The reads that are on screen now, as paths of the API: what a page shows is what these answer. */
export function shownReads(client: QueryClient): string[] {
  const shown = client.getQueryCache().findAll({ type: "active" });
  return [...new Set(shown.flatMap((read) => (typeof read.meta?.["path"] === "string" ? [read.meta["path"]] : [])))];
}

/** A read as react-query options: `useQuery(query(getKey, { params: { hash } }))`. */
export function query<E extends ApiEndpoint>(endpoint: E, input: Input<E>) {
  return queryOptions<Output<E>>({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
    meta: { path: callPath(endpoint, input) },
  });
}

/**
 * A list that is read page by page with its cursor: `useInfiniteQuery(pages(listKeys, { query: { q } }))`.
 * While the input changes, the rows of the last one stay.
 * @param announcesNew the page says what is new above the rows, so they are read again on request alone
 */
export function pages<E extends ApiEndpoint>(
  endpoint: E & ListsByCursor<E>,
  input: Input<E>,
  { announcesNew = false }: { announcesNew?: boolean } = {},
) {
  const { query: filters }: LooseInput = input;
  return infiniteQueryOptions({
    queryKey: [...queryKey(endpoint, input), "pages"] as const,
    queryFn: ({ signal, pageParam }) =>
      call<E>(endpoint, { ...input, query: { ...filters, cursor: pageParam ?? undefined } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as { next_cursor: string | null }).next_cursor,
    placeholderData: keepPreviousData,
    meta: { path: callPath(endpoint, input), announcesNew },
  });
}

type ListsByCursor<E extends ApiEndpoint> =
  Output<E> extends { data: unknown[]; next_cursor: string | null } ? unknown : never;
