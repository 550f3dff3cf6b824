import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { countKeys, listKeys } from "#contract/keys.ts";
import type { KeyRecord, KeyStatus } from "#contract/keys.ts";
import type { Input } from "#contract/endpoint.ts";
import { now } from "../../api/clock.ts";
import { pages, query } from "../../api/query.ts";
import { hasOwnFilters, passes } from "./filters.ts";
import type { KeysSearch } from "./search.ts";

export type KeysQuery = NonNullable<Input<typeof listKeys>["query"]>;

/** The list call that an address stands for. */
export function keysQuery(search: KeysSearch, workspaceId: string | undefined): KeysQuery {
  return {
    include_disabled: "true",
    limit: "100",
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    ...(search.q && { q: search.q }),
    ...(search.status && { status: search.status }),
    ...(search.sort && { sort: search.sort }),
    ...(search.order && { order: search.order }),
  };
}

const refreshEveryMs = 30_000;
/** Reading a list again reads all of its pages: beyond these few it is left to changes and to the person. */
const fewPages = 2;
const isLong = (loaded: { pages: unknown[] } | undefined) => (loaded?.pages.length ?? 0) > fewPages;

/** More than this is not looked through for a filter that the gateway does not know. */
export const mostLookedThrough = 10_000;

/**
 * The keys of a workspace as the address says, page by page; refreshed by themselves while they are few. A filter that
 * the gateway does not know is applied here: the pages are then read on until all are there.
 */
export function useKeys(search: KeysSearch, workspaceId: string | undefined) {
  const list = useInfiniteQuery({
    ...pages(listKeys, { query: keysQuery(search, workspaceId) }),
    enabled: workspaceId !== undefined,
    staleTime: ({ state }) => (isLong(state.data) ? Number.POSITIVE_INFINITY : refreshEveryMs / 2),
    refetchInterval: ({ state }) => (isLong(state.data) ? false : refreshEveryMs),
  });
  const loaded = list.data?.pages;
  const all = useMemo(() => loaded?.flatMap((page) => page.data) ?? [], [loaded]);
  const { limit, expires, creator } = search;
  const own = hasOwnFilters(search);
  const rows = useMemo(
    () => (own ? all.filter((key) => passes(key, { limit, expires, creator }, now())) : all),
    [all, own, limit, expires, creator],
  );
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  const looking = own && hasNextPage && !isFetchNextPageError && all.length < mostLookedThrough;
  useEffect(() => {
    if (looking && !isFetching) void fetchNextPage();
  }, [looking, isFetching, fetchNextPage]);
  return { list, all, rows, lookedThrough: own ? all.length : null, looking };
}

/** How many there are of each status, for the tabs; `all` is what the table has in total. */
export function useKeyCounts(search: KeysSearch, workspaceId: string | undefined) {
  return useQuery({
    ...query(countKeys, {
      query: { ...(workspaceId !== undefined && { workspace_id: workspaceId }), ...(search.q && { q: search.q }) },
    }),
    enabled: workspaceId !== undefined,
    placeholderData: (before) => before,
  });
}

/** Narrows loaded rows at once, before the server has answered: by name, label or the beginning of the hash. */
export function matches(key: KeyRecord, text: string, status: KeyStatus | undefined): boolean {
  if (status !== undefined && key.status !== status) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return true;
  return (
    key.name.toLowerCase().includes(wanted) || key.label.toLowerCase().includes(wanted) || key.hash.startsWith(wanted)
  );
}

const askAfterMs = 120;

/** Text that is typed at once and told on after a rest of 120 ms, and that follows when told from outside. */
export function useTyped(told: string, tell: (text: string) => void): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(told);
  const [last, setLast] = useState(told);
  if (told !== last) {
    setLast(told);
    setText(told);
  }
  useEffect(() => {
    if (text === told) return undefined;
    const timer = setTimeout(() => {
      setLast(text);
      tell(text);
    }, askAfterMs);
    return () => clearTimeout(timer);
  }, [text, told, tell]);
  return [text, setText];
}
