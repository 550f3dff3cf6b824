import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import type { KeysSearch } from "./search.ts";
import { matches, useKeyCounts, useKeys, useTyped } from "./use-keys.ts";

export type KeyList = ReturnType<typeof useKeyList>;

/** The list as the address describes it, the text that is being typed, and what of it is there so far. */
export function useKeyList() {
  const workspace = useWorkspace();
  const search: KeysSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const address = paths.keys(workspace.path);
  // to what the address says by then, which may be ahead of `search`
  const change = useCallback(
    (some: KeysSearch) =>
      void navigate({ to: address, search: (before: object) => ({ ...before, ...some }), replace: true }),
    [navigate, address],
  );
  const read = useKeys(search, workspace.id);
  const pages = read.data?.pages;
  const loaded = useMemo(() => pages?.flatMap((page) => page.data) ?? [], [pages]);
  const counts = useKeyCounts(search, workspace.id);
  const { text, type, settle } = useTyped(
    search.q ?? "",
    useCallback((q: string) => change({ q: q === "" ? undefined : q }), [change]),
  );
  const clear = useCallback(() => {
    // typed just now, and not in the address yet
    type("");
    void navigate({ to: address, search: {}, replace: true });
  }, [type, navigate, address]);
  // what is on screen answers each keystroke; the server's answer follows
  const waiting = read.isPlaceholderData || text !== (search.q ?? "");
  const rows = useMemo(
    () => (waiting ? loaded.filter((key) => matches(key, text, search.status)) : loaded),
    [waiting, loaded, text, search.status],
  );
  const byStatus = counts.data?.data;
  const count = byStatus?.[search.status ?? "all"];
  return {
    workspace,
    search,
    address,
    change,
    clear,
    read,
    all: loaded,
    rows,
    text,
    type,
    settle,
    waiting,
    counts,
    byStatus,
    count,
  };
}
