import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { counted, formatDayTime } from "../../format.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { RefusedCalls } from "../../shell/RefusedCalls.tsx";
import { useRefusedCalls, type RefusedCallsRead } from "../../shell/refused-calls.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { UpdatedAgo } from "../../shell/UpdatedAgo.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Older } from "../../table/Older.tsx";
import { Table, TableSkeleton } from "../../table/Table.tsx";
import { Button } from "../../ui/Button.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { EmptyState, FilteredState } from "../../ui/Region.tsx";
import { CallFilters } from "./CallFilters.tsx";
import { CallsExport } from "./CallsExport.tsx";
import { callColumns, callsWidth } from "./call-columns.tsx";
import { callPages } from "./call-pages.ts";
import { nothingFound, notToldSentence } from "./refused.ts";
import {
  canBeRefused,
  filtersOfCallsMade,
  hasFilters,
  refusedStatus,
  withoutApart,
  type CallsSearch,
} from "./search.ts";

/** How many searches run automatically while nothing has been found. */
const looksByItself = 5;

/** Every model call on the ledger, newest first. */
export function CallsPage() {
  const search: CallsSearch = useSearch({ from: "/signed-in/w/$workspace/calls" });
  const navigate = useNavigate({ from: "/w/$workspace/calls" });
  const { id, path: workspace } = useWorkspace();
  const list = useInfiniteQuery({
    ...callPages(search, id),
    enabled: id !== undefined,
    // rows must not move while they are being read: the page is reloaded on request
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: "always",
    refetchOnWindowFocus: false,
  });
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
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
  const filtered = hasFilters(search);
  const apart = filtersOfCallsMade(search);
  const refused = useRefusedCalls({
    workspaceId: id,
    keyHash: search.key,
    status: refusedStatus(search.status),
    since: search.since,
    until: search.until,
    enabled: canBeRefused(search.status),
  });
  const refresh = () => {
    void list.refetch();
    refused.refetch();
  };
  const clear = () => void navigate({ search: {} });
  useShortcut("Escape", "Clear the filters", clear, filtered);
  return (
    <>
      <PageHeader
        title="Calls"
        actions={
          <>
            <span className="max-md:hidden">
              <UpdatedAgo at={list.dataUpdatedAt} />
            </span>
            <CallsExport search={search} />
            <Button pending={list.isRefetching} onClick={refresh}>
              Refresh
            </Button>
          </>
        }
      />
      <CallFilters
        search={search}
        onChange={(some) => void navigate({ search: (before) => ({ ...before, ...some }), replace: true })}
        onClear={() => void navigate({ search: {}, replace: true })}
      />
      {apart.length === 0 ? (
        <RefusedCalls key={String(filtered)} refused={refused} folded={!filtered} />
      ) : (
        <NotTold refused={refused} apart={apart} onShow={() => void navigate({ search: withoutApart(search) })} />
      )}
      <QueryBoundary
        query={list}
        what="the calls"
        skeleton={<TableSkeleton columns={callColumns} rows={8} className={callsWidth} />}
      >
        {({ pages }) => {
          const calls = pages.flatMap((page) => page.data);
          if (calls.length === 0 && !hasNextPage) return <Nothing search={search} refused={refused} onClear={clear} />;
          const shown = calls.length === 0 ? "Nothing found" : counted(calls.length, "call");
          const back = pages.at(-1)?.looked_back_to ?? null;
          return (
            <>
              {calls.length > 0 && (
                <Table
                  label="Calls"
                  columns={callColumns}
                  context={{ workspace }}
                  rows={calls}
                  rowId={({ id: call }) => call}
                  className={callsWidth}
                />
              )}
              <Older
                list={list}
                what="calls"
                action="Look further back"
                shown={back === null ? shown : `${shown}, back to ${utcSecond(back)}`}
                end={
                  search.since === undefined
                    ? `${shown}, back to the first.`
                    : `${shown} since ${utcSecond(search.since)}.`
                }
              />
            </>
          );
        }}
      </QueryBoundary>
    </>
  );
}

const utcSecond = (iso: string) => `${formatDayTime(new Date(iso), "UTC", { seconds: true })} UTC`;

interface NotToldProps {
  refused: RefusedCallsRead;
  apart: readonly string[];
  onShow: () => void;
}

/** Refused calls that filters on calls that were made cannot find, with the way to them. */
function NotTold({ refused: { found, words }, apart, onShow }: NotToldProps) {
  if (found === undefined || found.total.calls === 0) return null;
  return (
    <p role="status" className="px-8 py-2 text-12 text-fg-2 max-md:px-4">
      {notToldSentence(found.total.calls, apart, words)} <LinkButton onClick={onShow}>Show them</LinkButton>
    </p>
  );
}

function Nothing({
  search,
  refused,
  onClear,
}: {
  search: CallsSearch;
  refused: RefusedCallsRead;
  onClear: () => void;
}) {
  const { name } = useWorkspace();
  const { title, detail } = nothingFound(search, refused, name);
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
