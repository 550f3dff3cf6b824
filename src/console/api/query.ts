import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import { call, callPath } from "./call.ts";
import type { CallArguments, LooseInput } from "./call.ts";

type InputArguments<E extends Endpoint> =
  Record<never, never> extends Input<E> ? [input?: Input<E>] : [input: Input<E>];

/** The cache key of one call: the endpoint's name, then its input. Invalidation goes by the name. */
export function queryKey(endpoint: Endpoint, input: unknown): readonly [string, unknown] {
  return [endpoint.name, input ?? {}];
}

/** The reads that are on screen now, as paths of the API: what a page shows is what these answer. */
export function shownReads(client: QueryClient): string[] {
  const shown = client.getQueryCache().findAll({ type: "active" });
  return [...new Set(shown.flatMap((read) => (typeof read.meta?.["path"] === "string" ? [read.meta["path"]] : [])))];
}

/** A read as react-query options: `useQuery(query(getKey, { params: { hash } }))`. */
export function query<E extends Endpoint>(endpoint: E, ...[input]: InputArguments<E>) {
  return queryOptions<Output<E>>({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, ...([input, { signal }] as unknown as CallArguments<E>)),
    meta: { path: callPath(endpoint, input ?? {}) },
  });
}

/**
 * A list that is read page by page with its cursor: `useInfiniteQuery(pages(listKeys, { query: { q } }))`.
 * While the input changes, the rows of the last one stay.
 */
export function pages<E extends Endpoint>(endpoint: E & ListsByCursor<E>, ...[input]: InputArguments<E>) {
  const loose = (input ?? {}) as LooseInput;
  return infiniteQueryOptions({
    queryKey: [...queryKey(endpoint, input), "pages"] as const,
    queryFn: ({ signal, pageParam }) =>
      call<E>(
        endpoint,
        ...([
          { ...loose, query: { ...loose.query, cursor: pageParam ?? undefined } },
          { signal },
        ] as unknown as CallArguments<E>),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as { next_cursor: string | null }).next_cursor,
    placeholderData: keepPreviousData,
    meta: { path: callPath(endpoint, loose) },
  });
}

type ListsByCursor<E extends Endpoint> =
  Output<E> extends { data: unknown[]; next_cursor: string | null } ? unknown : never;
