import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { countKeys, listKeys, type KeyRecord, type KeyStatus } from "#contract/keys.ts";
import type { Input } from "#contract/endpoint.ts";
import { pages, query } from "../../api/query.ts";
import { useFirstPageShown } from "../../shell/first-page.ts";
import { useTimeout } from "../../ui/use-timeout.ts";
import { defaultOrder, type KeysSearch } from "./search.ts";

export type KeysQuery = NonNullable<Input<typeof listKeys>["query"]>;

/** The list call for a URL. */
export function keysQuery(search: KeysSearch, workspaceId: string | undefined): KeysQuery {
  return {
    include_disabled: "true",
    limit: "100",
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    ...(search.q && { q: search.q }),
    ...(search.status && { status: search.status }),
    ...otherFilters(search),
    ...(search.sort && { sort: search.sort }),
    // the gateway's own order is from the largest, the column's may not be
    ...((search.sort ?? search.order) && { order: search.order ?? defaultOrder(search.sort ?? "created_at") }),
  };
}

function otherFilters({ limit, expires, creator }: KeysSearch) {
  return { ...(limit && { limit_state: limit }), ...(expires && { expires }), ...(creator && { creator }) };
}

const refreshEveryMs = 30_000;
/** Reading a list again reads all of its pages: beyond these few it is left to changes and to the person. */
const fewPages = 2;
const isLong = (loaded: { pages: unknown[] } | undefined) => (loaded?.pages.length ?? 0) > fewPages;

/** The keys of a workspace as the address says, page by page; refreshed by themselves while they are few. */
export function useKeys(search: KeysSearch, workspaceId: string | undefined) {
  return useInfiniteQuery({
    ...pages(listKeys, { query: keysQuery(search, workspaceId) }),
    enabled: workspaceId !== undefined,
    staleTime: ({ state }) => (isLong(state.data) ? Number.POSITIVE_INFINITY : refreshEveryMs / 2),
    refetchInterval: ({ state }) => (isLong(state.data) ? false : refreshEveryMs),
  });
}

/** How many there are of each status, for the tabs; `all` is what the table has in total. */
export function useKeyCounts(search: KeysSearch, workspaceId: string | undefined) {
  const pageShown = useFirstPageShown();
  return useQuery({
    ...query(countKeys, {
      query: {
        ...(workspaceId !== undefined && { workspace_id: workspaceId }),
        ...(search.q && { q: search.q }),
        ...otherFilters(search),
      },
    }),
    enabled: workspaceId !== undefined && pageShown,
    refetchInterval: refreshEveryMs,
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

/** Text that is typed at once, and told on after a rest of 120 ms or by `settle`; it follows when told from outside. */
export function useTyped(told: string, tell: (text: string) => void) {
  const [text, type] = useState(told);
  const [said, setSaid] = useState(told);
  const [seen, setSeen] = useState(told);
  if (told !== seen) {
    setSeen(told);
    // what was said here comes back as told, while the next letters may be there already
    if (told !== said) {
      setSaid(told);
      type(told);
    }
  }
  const settle = useCallback(() => {
    if (text === said) return;
    setSaid(text);
    tell(text);
  }, [text, said, tell]);
  useTimeout(settle, askAfterMs, settle);
  return { text, type, settle };
}
