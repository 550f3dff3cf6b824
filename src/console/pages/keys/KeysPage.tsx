import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState, useEffect } from "react";
import { type KeyRecord, listKeys } from "#contract/keys.ts";
import { readAgain } from "../../api/action.ts";
import { useReachable } from "../../api/connectivity.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { foundPart, paths } from "../../paths.ts";
import { usePreference } from "../../preferences.ts";
import { Failure } from "../../shell/Failure.tsx";
import { useListCursor } from "../../shell/list-cursor.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useHiddenColumns } from "../../table/hidden-columns.ts";
import { nothingSelected, toggle } from "../../table/selection.ts";
import { ProgressLine, FilteredState } from "../../ui/Region.tsx";
import { useSkeleton } from "../../ui/use-skeleton.ts";
import { BulkBar } from "./BulkBar.tsx";
import { useKeyExport } from "./ExportKeys.tsx";
import { filterWords } from "./filters.ts";
import { KeyFilters } from "./KeyFilters.tsx";
import type { Asked } from "./KeyMenu.tsx";
import { KeysFoot } from "./KeysFoot.tsx";
import { KeysHead } from "./KeysHead.tsx";
import { keyId, KeysTable } from "./KeysTable.tsx";
import { countText, KeyTabs } from "./KeyTabs.tsx";
import { useRecentKey } from "./recent-key.ts";
import { hasFilters, type KeysSearch } from "./search.ts";
import { UnsavedNotice } from "./UnsavedNotice.tsx";
import { useFirstCall } from "./use-first-call.ts";
import { useKeyList } from "./use-key-list.ts";
import { keysQuery } from "./use-keys.ts";

const CheckLeakedKeyDialog = lazy(async () => ({
  default: (await import("./CheckLeakedKey.tsx")).CheckLeakedKeyDialog,
}));

const DisableKeyDialog = lazy(async () => ({
  default: (await import("./DisableKeyDialog.tsx")).DisableKeyDialog,
}));

const DeleteKeyDialog = lazy(async () => ({
  default: (await import("./DeleteKeyDialog.tsx")).DeleteKeyDialog,
}));

const NoKeys = lazy(async () => ({ default: (await import("./NoKeys.tsx")).NoKeys }));

/** "Lasts until" names an expiry that comes first; all of them would not fit into 1,440 px. */
const hiddenAtFirst = ["byok", "expires"];

/** Every key of a workspace, or of all of them. */
export function KeysPage() {
  const list = useKeyList();
  const { workspace, search, clear, read, rows, counts } = list;
  const navigate = useNavigate();
  const { reachable, reason } = useReachable();
  const zone = usePreference("zone");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [selection, setSelection] = useState(nothingSelected);
  const [hidden, toggleColumn] = useHiddenColumns("keys", hiddenAtFirst);
  const found = useLocation({ select: ({ hash }) => hash === foundPart });
  const setFound = (next: boolean) =>
    void navigate({ to: ".", search: true, hash: next ? foundPart : "", replace: !next });
  const exported = useKeyExport({
    // what is typed may not be in the address yet
    query: keysQuery({ ...search, q: list.text }, workspace.id),
    count: list.count && countText(list.count),
    workspace: workspace.path,
  });
  const workspaces = useQuery(everyWorkspace);
  const ids = useMemo(() => rows.map(keyId), [rows]);
  const cursor = useListCursor(ids);
  const current = rows.find((key) => key.hash === cursor.current);
  const create = () => void navigate({ to: paths.newKey(workspace.path), search: true });
  const edit = (key: KeyRecord) => void navigate({ to: paths.editKey(workspace.path, key.hash) });
  const selectCurrent = () => current && setSelection(toggle(selection, ids, current.hash, false));
  const askToDelete = () => current && setAsked({ about: "delete", key: current });
  useShortcut("c", "Create a key", create, reachable);
  useShortcut("x", "Select the row", selectCurrent);
  useShortcut("e", "Edit the row's key", () => current && edit(current));
  useShortcut("Delete", "Delete the row's key", askToDelete, reachable);
  useShortcut("Escape", "Clear the filters", clear, hasFilters(search));

  const skeleton = useSkeleton(read.isPending);
  const failed = read.isError && rows.length === 0;
  const empty = read.isSuccess && !list.waiting && rows.length === 0;
  return (
    <div className="flex h-[calc(100dvh-72px-var(--h-bar,0px))] min-h-120 flex-col">
      <KeysHead list={list} exported={exported} onFound={() => setFound(true)} />
      <div className="h-2 shrink-0" />
      <UnsavedNotice />
      <KeyTabs to={list.address} search={search} counts={list.byStatus} />
      <KeyFilters
        list={list}
        hidden={hidden}
        onColumn={toggleColumn}
        also={[
          { label: "Found a key?", onSelect: () => setFound(true) },
          { label: exported.label, disabledReason: exported.disabledReason, onSelect: exported.press },
        ]}
      />
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
            <NothingMatches search={search} workspace={workspace.name} onClear={clear} />
          ) : (
            <Suspense>
              <NoKeys onCreate={create} disabledReason={reason} />
            </Suspense>
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
          skeleton={skeleton}
        />
      )}
      <KeysFoot
        read={read}
        // its place is under the rows, of which there may be fewer than the skeleton has
        shown={skeleton ? 0 : rows.length}
        total={list.count}
        zone={zone}
        workspacesFailed={workspaces.isError && workspaces.data === undefined && reachable}
        onRetryWorkspaces={() => void workspaces.refetch()}
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
      {found && (
        <Suspense>
          <CheckLeakedKeyDialog onClose={() => setFound(false)} />
        </Suspense>
      )}
      <Suspense>
        {asked?.about === "disable" && <DisableKeyDialog asked={asked.key} onClose={() => setAsked(null)} />}
        {asked?.about === "delete" && <DeleteKeyDialog asked={asked.key} onClose={() => setAsked(null)} />}
      </Suspense>
      <Outlet />
    </div>
  );
}

/** Keeps watching the key made last after its dialog is closed, and refreshes the list on its first call. */
function WatchFirstCall() {
  const made = useRecentKey();
  return made && <Watch key={made.hash} hash={made.hash} />;
}

function Watch({ hash }: { hash: string }) {
  const client = useQueryClient();
  const used = useFirstCall(hash).data?.data.last_used_at ?? null;
  useEffect(() => {
    if (used !== null) void readAgain(client, listKeys.name);
  }, [client, used]);
  return null;
}

interface NothingMatchesProps {
  search: KeysSearch;
  workspace: string;
  onClear: () => void;
}

/** Has some, but none pass: the filters by name. */
function NothingMatches({ search, workspace, onClear }: NothingMatchesProps) {
  const filters = filterWords(search);
  const title = search.q ? `Nothing matches “${search.q}” in ${workspace}` : `No such keys in ${workspace}`;
  return (
    <FilteredState title={title} onClear={onClear}>
      {filters === "" ? "Names, labels and the beginnings of hashes were searched." : `Filtered by: ${filters}.`}
    </FilteredState>
  );
}
