import { Outlet, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { KeyRecord } from "#contract/keys.ts";
import { useReachable } from "../../api/reachable.ts";
import { paths } from "../../paths.ts";
import { usePreference } from "../../preferences.ts";
import { Failure } from "../../shell/Failure.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useHiddenColumns } from "../../table/hidden-columns.ts";
import { useRowCursor } from "../../table/row-cursor.ts";
import { nothingSelected, toggle } from "../../table/selection.ts";
import { ProgressLine } from "../../ui/Region.tsx";
import { BulkBar } from "./BulkBar.tsx";
import { DeleteKeyDialog } from "./DeleteKeyDialog.tsx";
import { DisableKeyDialog } from "./DisableKeyDialog.tsx";
import { KeyFilters } from "./KeyFilters.tsx";
import type { Asked } from "./KeyMenu.tsx";
import { KeysFoot } from "./KeysFoot.tsx";
import { KeysHead } from "./KeysHead.tsx";
import { keyId, KeysTable } from "./KeysTable.tsx";
import { KeyTabs } from "./KeyTabs.tsx";
import { NoKeys, NothingMatches } from "./NoKeys.tsx";
import { hasFilters } from "./search.ts";
import { UnsavedNotice } from "./UnsavedNotice.tsx";
import { useKeyList } from "./use-key-list.ts";
import { WatchFirstCall } from "./WatchFirstCall.tsx";

/** Every key of a workspace, or of all of them. */
export function KeysPage() {
  const list = useKeyList();
  const { workspace, search, change, read, rows, counts } = list;
  const navigate = useNavigate();
  const { reachable, reason } = useReachable();
  const zone = usePreference("zone");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [selection, setSelection] = useState(nothingSelected);
  const [hidden, toggleColumn] = useHiddenColumns("keys");
  const ids = useMemo(() => rows.map(keyId), [rows]);
  const cursor = useRowCursor(ids);
  const current = rows.find((key) => key.hash === cursor.current);
  const create = () => void navigate({ to: paths.newKey(workspace.path), search });
  const edit = (key: KeyRecord) => void navigate({ to: paths.editKey(workspace.path, key.hash) });
  const selectCurrent = () => current && setSelection(toggle(selection, ids, current.hash, false));
  const askToDelete = () => current && setAsked({ about: "delete", key: current });
  useShortcut("c", "Create a key", create, reachable);
  useShortcut("j", "Next row", () => cursor.move(1));
  useShortcut("k", "Row before", () => cursor.move(-1));
  useShortcut("x", "Select the row", selectCurrent);
  useShortcut("e", "Edit the row's key", () => current && edit(current));
  useShortcut("Delete", "Delete the row's key", askToDelete, reachable);
  useShortcut("Escape", "Clear the filters", () => change({}), hasFilters(search));

  const failed = read.isError && rows.length === 0;
  const empty = read.isSuccess && !list.waiting && !list.looking && rows.length === 0;
  return (
    <div className="flex h-[calc(100dvh-72px)] min-h-120 flex-col">
      <KeysHead list={list} />
      <div className="h-2 shrink-0" />
      <UnsavedNotice />
      <KeyTabs to={list.address} search={search} counts={list.byStatus} />
      <KeyFilters list={list} hidden={hidden} onColumn={toggleColumn} />
      <ProgressLine active={read.isFetching && !read.isPending && !read.isFetchingNextPage} />
      {failed && (
        <div className="px-8 py-4 max-md:px-4">
          <Failure
            error={read.error}
            what="The key list did not load"
            onRetry={() => void read.refetch()}
            retrying={read.isFetching}
          />
        </div>
      )}
      {empty && (
        <div className="px-8 py-6 max-md:px-4">
          {hasFilters(search) ? (
            <NothingMatches search={search} workspace={workspace.name} onClear={() => change({})} />
          ) : (
            <NoKeys onCreate={create} disabledReason={reason} />
          )}
        </div>
      )}
      {!failed && !empty && (
        <KeysTable
          list={list}
          hidden={hidden}
          cursor={cursor}
          selection={selection}
          onSelect={setSelection}
          onAsk={setAsked}
        />
      )}
      <KeysFoot
        read={read}
        shown={rows.length}
        total={list.count}
        lookedThrough={list.lookedThrough}
        zone={zone}
        countsFailed={counts.isError && reachable}
        onRetryCounts={() => void counts.refetch()}
      >
        <BulkBar
          selected={rows.filter((key) => selection.ids.has(key.hash))}
          workspace={workspace.path}
          onClear={() => setSelection(nothingSelected)}
        />
      </KeysFoot>
      <WatchFirstCall />
      {asked?.about === "disable" && <DisableKeyDialog asked={asked.key} onClose={() => setAsked(null)} />}
      {asked?.about === "delete" && <DeleteKeyDialog asked={asked.key} onClose={() => setAsked(null)} />}
      <Outlet />
    </div>
  );
}
