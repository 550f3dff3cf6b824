import {
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, type ReactNode } from "react";
import type { listCalls } from "#contract/call-list.ts";
import type { Output } from "#contract/endpoint.ts";
import { minuteMs } from "#contract/time.ts";
import { useNow } from "../../api/clock.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { counted, formatDayTime } from "../../format.ts";
import { ListTable } from "../../shell/ListTable.tsx";
import { allWorkspaces } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useRefusedCalls } from "../../shell/refused-calls.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { UpdatedAgo } from "../../shell/UpdatedAgo.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Older } from "../../table/Older.tsx";
import { TableSkeleton } from "../../table/Table.tsx";
import { Button } from "../../ui/Button.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { EmptyState, FilteredState } from "../../ui/Region.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { CallFilter } from "./CallFilter.tsx";
import { CallsExport } from "./CallsExport.tsx";
import { callColumns, callColumnsOfAll, callsWidth } from "./call-columns.tsx";
import { callPages } from "./call-pages.ts";
import { callsOf, foldRefused, idOf, mergeCalls } from "./live-calls.ts";
import { LiveStatus } from "./LiveStatus.tsx";
import { nothingFound, notToldSentence } from "./refused.ts";
import { canBeRefused, filtersOfCallsMade, hasFilters, refusedStatus, withoutApart } from "./filters-in-use.ts";
import type { CallsSearch } from "./search.ts";
import { HistogramSkeleton } from "./HistogramSkeleton.tsx";
import { ListBar, nextSort } from "./ListBar.tsx";
import { SessionsList } from "./SessionsList.tsx";
import { SumLine } from "./SumLine.tsx";
import { useCallCounts } from "./use-call-counts.ts";
import { noNewCalls, useLiveCalls, type LiveCalls } from "./use-live-calls.ts";

const CallsHistogram = lazy(async () => ({ default: (await import("./CallsHistogram.tsx")).CallsHistogram }));

/** What the histogram needs at any width, so that nothing moves when it arrives. */
const histogramHeight = "min-h-52 max-md:min-h-64";

/** How many searches run automatically while nothing has been found. */
const looksByItself = 5;

/** Every call, made or refused, newest first or by what it came to. */
export function CallsPage() {
  const search: CallsSearch = useSearch({ from: "/signed-in/w/$workspace/calls" });
  const navigate = useNavigate({ from: "/w/$workspace/calls" });
  const { id } = useWorkspace();
  const client = useQueryClient();
  const list = useInfiniteQuery({
    ...callPages(search, id),
    enabled: id !== undefined,
    // rows must not move while they are being read: the page is reloaded on request
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: "always",
    refetchOnWindowFocus: false,
  });
  useFurtherSearch(list);
  const { data, hasNextPage: more } = list;
  const listed = useMemo(() => data && { calls: data.pages.flatMap((page) => page.data), more }, [data, more]);
  const live = useLiveCalls({
    search,
    workspaceId: id,
    listed,
    // the histogram counts what the table has just shown; a count that is under way is not begun again
    onArrivals: () => void counts.refetch({ cancelRefetch: false }),
  });
  const counts = useCallCounts(search, id, live.on);
  const filtered = hasFilters(search);
  const apart = filtersOfCallsMade(search);
  const refresh = () => {
    live.reset();
    void list.refetch();
    void counts.refetch();
    void client.invalidateQueries({ queryKey: ["listGenerationSessions"] });
    void client.invalidateQueries({ queryKey: ["listRefusedCalls"] });
  };
  const change = (some: CallsSearch) => void navigate({ search: (before) => ({ ...before, ...some }), replace: true });
  const { group, sort, order } = search;
  const clear = () => void navigate({ search: { group, sort, order } });
  const empty = <Nothing search={search} onClear={clear} />;
  useShortcut("Escape", "Clear the filters", clear, filtered);
  return (
    <>
      <PageHeader
        title="Calls"
        actions={
          <>
            {!live.on && (
              <span className="max-md:hidden">
                <UpdatedAgo at={list.dataUpdatedAt} />
              </span>
            )}
            <Switch
              label="Follow new calls"
              checked={live.on}
              onChange={live.setOn}
              disabledReason={noNewCalls(search)}
            />
            <CallsExport search={search} />
            <Button pending={list.isRefetching} onClick={refresh}>
              Refresh
            </Button>
          </>
        }
      />
      <CallFilter search={search} onChange={change} onClear={clear} />
      <div className={histogramHeight}>
        <Suspense fallback={<HistogramSkeleton />}>
          <CallsHistogram
            counts={counts}
            search={search}
            onRange={(range) => void navigate({ search: (before) => ({ ...before, ...range }) })}
          />
        </Suspense>
      </div>
      {apart.length > 0 && canBeRefused(search.status) && (
        <NotTold search={search} apart={apart} onShow={() => void navigate({ search: withoutApart(search) })} />
      )}
      <SumLine counts={counts} />
      <ListBar search={search} onChange={change} />
      {group === "session" ? (
        <SessionsList search={search} empty={empty} />
      ) : (
        <>
          <LiveStatus live={live} onReload={refresh} />
          <CallsList
            list={list}
            live={live}
            empty={empty}
            search={search}
            onSort={(by) => change(nextSort(search, by))}
          />
        </>
      )}
    </>
  );
}

type List = UseInfiniteQueryResult<InfiniteData<Output<typeof listCalls>>>;

/** A filter may find nothing in one page, and something further back. */
function useFurtherSearch({ data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: List) {
  const found = data?.pages.reduce((count, page) => count + page.data.length, 0) ?? 0;
  const lookOn =
    data !== undefined &&
    found === 0 &&
    hasNextPage &&
    data.pages.length < looksByItself &&
    !isFetching &&
    !isFetchNextPageError;
  useEffect(() => {
    if (lookOn) void fetchNextPage();
  }, [lookOn, fetchNextPage]);
}

interface CallsListProps {
  list: List;
  live: LiveCalls;
  /** in place of a list of nothing */
  empty: ReactNode;
  search: CallsSearch;
  onSort: (by: string) => void;
}

function CallsList({ list, live, empty, search, onSort }: CallsListProps) {
  const { path: workspace, id } = useWorkspace();
  const { data: workspaces } = useQuery(everyWorkspace);
  const now = useNow(minuteMs);
  const { since, sort, order = "desc" } = search;
  const columns = id === allWorkspaces ? callColumnsOfAll : callColumns;
  const workspaceName = (of: string) => workspaces?.find((one) => one.id === of)?.name ?? `${of.slice(0, 8)}…`;
  return (
    <QueryBoundary
      query={list}
      what="the calls"
      skeleton={<TableSkeleton columns={columns} rows={8} className={callsWidth} />}
    >
      {({ pages }) => {
        const read = pages.flatMap((page) => page.data);
        const calls = sort === undefined ? foldRefused(mergeCalls(live.shown, read)) : read;
        if (calls.length === 0 && !list.hasNextPage) return empty;
        const sum = calls.reduce((all, entry) => all + callsOf(entry), 0);
        const shown = calls.length === 0 ? "Nothing found" : counted(sum, "call");
        const back = pages.at(-1)?.looked_back_to ?? null;
        const rankedSince = pages[0]?.ranked_since ?? null;
        return (
          <>
            {sort !== undefined && (
              <p role="status" className="px-8 pb-2 text-12 text-fg-3 max-md:px-4">
                {canBeRefused(search.status) &&
                  "Refused calls cost nothing and are left out; sort by time to see them. "}
                {rankedSince !== null &&
                  `Calls before ${utcSecond(rankedSince)} are left out: there are too many to sort. Choose a shorter time.`}
              </p>
            )}
            {calls.length > 0 && (
              <ListTable
                label="Calls"
                columns={columns}
                context={{ workspace, now, workspaceName }}
                rows={calls}
                rowId={idOf}
                sort={{ column: sort ?? "time", order }}
                onSort={onSort}
                className={callsWidth}
              />
            )}
            <Older
              list={list}
              what="calls"
              action={sort === undefined ? "Look further back" : "Show more"}
              shown={back === null ? shown : `${shown}, back to ${utcSecond(back)}`}
              end={
                sort !== undefined
                  ? `${shown}, all that match.`
                  : since === undefined
                    ? `${shown}, back to the first.`
                    : `${shown} since ${utcSecond(since)}.`
              }
            />
          </>
        );
      }}
    </QueryBoundary>
  );
}

const utcSecond = (iso: string) => `${formatDayTime(new Date(iso), "UTC", { seconds: true })} UTC`;

interface NotToldProps {
  search: CallsSearch;
  apart: readonly string[];
  onShow: () => void;
}

/** Refused calls that filters on calls that were made cannot find, with the way to them. */
function NotTold({ search, apart, onShow }: NotToldProps) {
  const { id } = useWorkspace();
  const { found, words } = useRefusedCalls({
    workspaceId: id,
    keyHash: search.key,
    status: refusedStatus(search.status),
    since: search.since,
    until: search.until,
  });
  if (found === undefined || found.total.calls === 0) return null;
  return (
    <p role="status" className="px-8 py-2 text-12 text-fg-2 max-md:px-4">
      {notToldSentence(found.total.calls, apart, words)} <LinkButton onClick={onShow}>Show them</LinkButton>
    </p>
  );
}

function Nothing({ search, onClear }: { search: CallsSearch; onClear: () => void }) {
  const { name } = useWorkspace();
  const { title, detail } = nothingFound(search, name);
  return (
    <div className="px-8 py-6 max-md:px-4">
      {hasFilters(search) ? (
        <FilteredState title={title} onClear={onClear}>
          {detail}
        </FilteredState>
      ) : (
        <EmptyState title={title}>{detail}</EmptyState>
      )}
    </div>
  );
}
