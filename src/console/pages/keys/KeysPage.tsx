import { Link, Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { KeyRecord, KeySort } from "#contract/keys.ts";
import { now as clockNow, useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/reachable.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { paths } from "../../paths.ts";
import { usePreference } from "../../preferences.ts";
import { Failure } from "../../shell/Failure.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { shownColumns } from "../../table/column.ts";
import { DataTable } from "../../table/DataTable.tsx";
import { useHiddenColumns } from "../../table/hidden-columns.ts";
import { useRowCursor } from "../../table/row-cursor.ts";
import { nothingSelected, toggle } from "../../table/selection.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { ProgressLine } from "../../ui/Region.tsx";
import { useSkeleton } from "../../ui/use-skeleton.ts";
import { BulkBar } from "./BulkBar.tsx";
import { DeleteKeyDialog } from "./DeleteKeyDialog.tsx";
import { DisableKeyDialog } from "./DisableKeyDialog.tsx";
import { ExportKeys } from "./ExportKeys.tsx";
import { passes } from "./filters.ts";
import { FoundKey } from "./FoundKey.tsx";
import { useJustMade, useMarked } from "./just-made.ts";
import { keyColumns } from "./key-columns.tsx";
import type { KeyContext } from "./key-columns.tsx";
import { KeyFilters } from "./KeyFilters.tsx";
import { KeyMenu } from "./KeyMenu.tsx";
import type { Asked } from "./KeyMenu.tsx";
import { KeysFoot } from "./KeysFoot.tsx";
import { KeyTabs, countText } from "./KeyTabs.tsx";
import { NoKeys, NothingMatches } from "./NoKeys.tsx";
import { defaultOrder, hasFilters, sortBy } from "./search.ts";
import type { KeysSearch } from "./search.ts";
import { UnsavedNotice } from "./UnsavedNotice.tsx";
import { keysQuery, matches, useKeyCounts, useKeys, useTyped } from "./use-keys.ts";
import { WatchFirstCall } from "./WatchFirstCall.tsx";

const keyId = (key: KeyRecord) => key.hash;
const keyName = (key: KeyRecord) => key.name;
const stepsBack = (key: KeyRecord) => key.status === "disabled" || key.status === "expired";

/** Every key of a workspace, or of all of them. */
export function KeysPage() {
  const workspace = useWorkspace();
  const search: KeysSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const list = paths.keys(workspace.path);
  const change = useCallback(
    (next: KeysSearch) => void navigate({ to: list, search: next, replace: true }),
    [navigate, list],
  );
  const { list: read, rows: loaded, lookedThrough, looking } = useKeys(search, workspace.id);
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
  const counted = counts.data?.data;
  const count =
    lookedThrough === null
      ? counted?.[search.status ?? "all"]
      : { count: rows.length, more: looking || read.hasNextPage };

  const creators = useCreators(loaded);

  const { reachable, reason } = useReachable();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [selection, setSelection] = useState(nothingSelected);
  const ids = useMemo(() => rows.map(keyId), [rows]);
  const cursor = useRowCursor(ids);
  const currentKey = rows.find((key) => key.hash === cursor.current);
  const open = useCallback(
    (key: KeyRecord) => void navigate({ to: paths.key(workspace.path, key.hash) }),
    [navigate, workspace.path],
  );
  const create = () => void navigate({ to: paths.newKey(workspace.path), search });
  useShortcut("c", "Create a key", create, reachable);
  useShortcut("j", "Next row", () => cursor.move(1));
  useShortcut("k", "Row before", () => cursor.move(-1));
  useShortcut(
    "x",
    "Select the row",
    () => cursor.current !== null && setSelection(toggle(selection, ids, cursor.current, false)),
  );
  useShortcut(
    "e",
    "Edit the row's key",
    () => currentKey && void navigate({ to: paths.editKey(workspace.path, currentKey.hash) }),
  );
  useShortcut(
    "Delete",
    "Delete the row's key",
    () => currentKey && setAsked({ about: "delete", key: currentKey }),
    reachable,
  );
  useShortcut("Escape", "Clear the filters", () => change({}), hasFilters(search));

  const [hidden, toggleColumn] = useHiddenColumns("keys");
  const columns = useMemo(
    () => shownColumns(keyColumns, workspace.record === undefined ? hidden : new Set([...hidden, "workspace"])),
    [hidden, workspace.record],
  );
  const context = useKeyContext(search, workspace.path, read.dataUpdatedAt);
  const marked = useMarked();
  const tone = useCallback(
    (key: KeyRecord) => (key.hash === marked ? "new" : stepsBack(key) ? "off" : undefined),
    [marked],
  );
  const actions = useCallback(
    (key: KeyRecord) => <KeyMenu of={key} workspace={workspace.path} onAsk={setAsked} />,
    [workspace.path],
  );
  const sort = useCallback((column: string) => change(sortBy(search, column as KeySort)), [change, search]);
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = read;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError]);
  const skeleton = useSkeleton(read.isPending);
  const sortedBy = search.sort ?? "created_at";

  return (
    <div className="flex h-[calc(100dvh-72px)] min-h-120 flex-col">
      <PageHeader
        title="API keys"
        actions={
          <>
            <FoundKey />
            <ExportKeys
              query={keysQuery(search, workspace.id)}
              passes={(key) => passes(key, search, clockNow())}
              count={count && countText(count)}
              workspace={workspace.path}
            />
            {reachable ? (
              <Link
                id="create-key"
                to={paths.newKey(workspace.path)}
                search={search}
                className={buttonClass({ variant: "primary" })}
              >
                Create key
                <kbd aria-hidden="true" className="font-mono text-[11px]/4 font-normal text-on-ink-2 max-md:hidden">
                  C
                </kbd>
              </Link>
            ) : (
              <Button id="create-key" variant="primary" disabledReason={reason}>
                Create key
              </Button>
            )}
          </>
        }
      />
      <div className="h-2 shrink-0" />
      <UnsavedNotice />
      <KeyTabs to={list} search={search} counts={counted} />
      <KeyFilters
        text={text}
        onText={type}
        usage={search.usage ?? "week"}
        search={search}
        onChange={change}
        creators={creators}
        onUsage={(usage) => change({ ...search, usage: usage === "week" ? undefined : usage })}
        hidden={hidden}
        onColumn={toggleColumn}
      />
      <ProgressLine active={read.isFetching && !read.isPending && !isFetchingNextPage} />
      {read.isError && rows.length === 0 ? (
        <div className="px-8 py-4 max-md:px-4">
          <Failure
            error={read.error}
            what="The key list did not load"
            onRetry={() => void read.refetch()}
            retrying={read.isFetching}
          />
        </div>
      ) : read.isSuccess && !waiting && !looking && rows.length === 0 ? (
        <div className="px-8 py-6 max-md:px-4">
          {hasFilters(search) ? (
            <NothingMatches search={search} workspace={workspace.name} onClear={() => change({})} />
          ) : (
            <NoKeys onCreate={create} disabledReason={reason} />
          )}
        </div>
      ) : (
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
          onSelect={setSelection}
          actions={actions}
          onEnd={more}
          skeletons={skeleton ? 8 : 0}
        />
      )}
      <KeysFoot
        read={read}
        shown={rows.length}
        total={count}
        lookedThrough={lookedThrough}
        zone={context.zone}
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

/** Who made the keys that are loaded, for the creator filter. */
function useCreators(keys: readonly KeyRecord[]): readonly string[] {
  return useMemo(
    () => [...new Set(keys.flatMap((key) => key.creator_user_id ?? []))].toSorted((a, b) => a.localeCompare(b)),
    [keys],
  );
}

function useKeyContext(search: KeysSearch, workspace: string, readAt: number): KeyContext {
  const tick = useNow(30_000);
  // a row read since the last tick may hold an instant that is later than it
  // oxlint-disable-next-line react/exhaustive-deps -- both say that it is time to look at the clock again
  const now = useMemo(clockNow, [tick, readAt]);
  const zone = usePreference("zone");
  const workspaces = useQuery(everyWorkspace).data;
  const watched = useJustMade()?.hash ?? null;
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
