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
  const change = useCallback(
    (next: KeysSearch) => void navigate({ to: address, search: next, replace: true }),
    [navigate, address],
  );
  const { list: read, all, rows: loaded, lookedThrough, looking } = useKeys(search, workspace.id);
  const counts = useKeyCounts(search, workspace.id);
  const [text, type] = useTyped(
    search.q ?? "",
    useCallback((q: string) => change({ ...search, q: q === "" ? undefined : q }), [change, search]),
  );
  // what is on screen answers each keystroke; the server's answer follows
  const waiting = read.isPlaceholderData || text !== (search.q ?? "");
  const rows = useMemo(
    () => (waiting ? loaded.filter((key) => matches(key, text, search.status)) : loaded),
    [waiting, loaded, text, search.status],
  );
  const byStatus = counts.data?.data;
  const count =
    lookedThrough === null
      ? byStatus?.[search.status ?? "all"]
      : { count: rows.length, more: looking || read.hasNextPage };
  return {
    workspace,
    search,
    address,
    change,
    read,
    all,
    rows,
    text,
    type,
    waiting,
    looking,
    lookedThrough,
    counts,
    byStatus,
    count,
  };
}
