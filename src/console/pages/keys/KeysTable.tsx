import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { KeyRecord, KeySort } from "#contract/keys.ts";
import { now as clockNow, useNow } from "../../api/clock.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { usePreference } from "../../preferences.ts";
import { shownColumns } from "../../table/column.ts";
import { DataTable } from "../../table/DataTable.tsx";
import type { RowCursor } from "../../table/row-cursor.ts";
import type { Selection } from "../../table/selection.ts";
import { keyColumns, type KeyContext } from "./key-columns.tsx";
import { KeyMenu, type Asked } from "./KeyMenu.tsx";
import { useMarked, useRecentKey } from "./recent-key.ts";
import { defaultOrder, sortBy, type KeysSearch } from "./search.ts";
import type { KeyList } from "./use-key-list.ts";

interface KeysTableProps {
  list: KeyList;
  hidden: ReadonlySet<string>;
  cursor: RowCursor;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onAsk: (asked: Asked) => void;
  skeleton: boolean;
}

const keyName = (key: KeyRecord) => key.name;
const stepsBack = (key: KeyRecord) => key.status === "disabled" || key.status === "expired";

export const keyId = (key: KeyRecord): string => key.hash;

/** The keys as a table. All its props keep their identity, so that a keystroke re-renders no row. */
export function KeysTable({ list, hidden, cursor, selection, onSelect, onAsk, skeleton }: KeysTableProps) {
  const { workspace, search, change, read, rows, waiting, count } = list;
  const navigate = useNavigate();
  const columns = useMemo(
    () => shownColumns(keyColumns, workspace.path === allWorkspaces ? hidden : new Set([...hidden, "workspace"])),
    [hidden, workspace.path],
  );
  const context = useKeyContext(search, workspace.path, read.dataUpdatedAt);
  const marked = useMarked();
  const tone = useCallback(
    (key: KeyRecord) => (key.hash === marked ? "new" : stepsBack(key) ? "off" : undefined),
    [marked],
  );
  const open = useCallback(
    (key: KeyRecord) => void navigate({ to: paths.key(workspace.path, key.hash) }),
    [navigate, workspace.path],
  );
  const actions = useCallback(
    (key: KeyRecord) => <KeyMenu of={key} workspace={workspace.path} onAsk={onAsk} />,
    [workspace.path, onAsk],
  );
  const sort = useCallback(
    (column: string) => {
      const { sort: by, order } = sortBy(search, column as KeySort);
      change({ sort: by, order });
    },
    [change, search],
  );
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = read;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError]);
  const sortedBy = search.sort ?? "created_at";
  return (
    <DataTable
      label="API keys"
      className="shrink"
      columns={columns}
      context={context}
      rows={rows}
      total={count && !count.more && !waiting ? count.count : -1}
      rowId={keyId}
      rowName={keyName}
      rowTone={tone}
      onOpen={open}
      sort={{ column: sortedBy, order: search.order ?? defaultOrder(sortedBy) }}
      onSort={sort}
      cursor={cursor}
      selection={selection}
      onSelect={onSelect}
      actions={actions}
      onEnd={more}
      skeletons={skeleton ? 8 : 0}
    />
  );
}

/** What the cells need in addition to their row, the same object until something in it changes. */
function useKeyContext(search: KeysSearch, workspace: string, readAt: number): KeyContext {
  const tick = useNow(30_000);
  // a row read since the last tick may hold an instant that is later than it
  // oxlint-disable-next-line react/exhaustive-deps -- both say that it is time to look at the clock again
  const now = useMemo(clockNow, [tick, readAt]);
  const zone = usePreference("zone");
  const workspaces = useQuery(everyWorkspace).data;
  const watched = useRecentKey()?.hash ?? null;
  const usage = search.usage ?? "week";
  return useMemo(
    () => ({
      now,
      usage,
      zone,
      workspace,
      workspaceNames: new Map(workspaces?.map(({ id, name }) => [id, name])),
      watched,
    }),
    [now, usage, zone, workspace, workspaces, watched],
  );
}
