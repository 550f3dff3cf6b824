import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { formatAgo } from "../../format.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { Reading } from "../../shell/Reading.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState, FilteredState, UpdatedAgo } from "../../ui/Region.tsx";
import { CallFilters } from "./CallFilters.tsx";
import { CallTable, CallTableSkeleton } from "./CallTable.tsx";
import { OlderCalls } from "./OlderCalls.tsx";
import { callPages } from "./call-pages.ts";
import { hasFilters } from "./search.ts";
import type { CallsSearch } from "./search.ts";

/** So many looks are taken without being asked while nothing has been found. */
const looksByItself = 5;

/** Every model call on the ledger, newest first. */
export function CallsPage() {
  const search: CallsSearch = useSearch({ from: "/signed-in/w/$workspace/calls" });
  const navigate = useNavigate({ from: "/w/$workspace/calls" });
  const { id, name } = useWorkspace();
  const list = useInfiniteQuery({
    ...callPages(search, id),
    enabled: id !== undefined,
    // rows do not push each other about under the eye: the page is read again on request
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
  const clear = () => void navigate({ search: {} });
  useShortcut("Escape", "Clear the filters", clear, filtered);
  return (
    <>
      <PageHeader
        title="Calls"
        actions={
          <>
            <span className="max-md:hidden">
              <UpdatedAgo
                at={list.dataUpdatedAt === 0 ? null : new Date(list.dataUpdatedAt)}
                format={(at, to) => formatAgo(at, "UTC", to)}
              />
            </span>
            <Button pending={list.isRefetching} onClick={() => void list.refetch()}>
              Read again
            </Button>
          </>
        }
      />
      <CallFilters search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
      <Reading query={list} what="the calls" skeleton={<CallTableSkeleton />}>
        {({ pages }) => {
          const calls = pages.flatMap((page) => page.data);
          if (calls.length > 0) {
            return (
              <>
                <CallTable calls={calls} />
                <OlderCalls list={list} count={calls.length} back={pages.at(-1)?.looked_back_to ?? null} />
              </>
            );
          }
          if (hasNextPage) return <OlderCalls list={list} count={0} back={pages.at(-1)?.looked_back_to ?? null} />;
          return <Nothing filtered={filtered} where={name} onClear={clear} />;
        }}
      </Reading>
    </>
  );
}

function Nothing({ filtered, where, onClear }: { filtered: boolean; where: string; onClear: () => void }) {
  return (
    <div className="px-8 py-6 max-md:px-4">
      {filtered ? (
        <FilteredState title={`No call in ${where} matches these filters`} onClear={onClear}>
          Model, provider and session have to match exactly, as they stand in the table.
        </FilteredState>
      ) : (
        <EmptyState title="No call has been made yet">
          Every call that reaches a model is written here before its answer ends: what was tried, what it took and what
          it cost.
        </EmptyState>
      )}
    </div>
  );
}
