import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { explain } from "../api/error-messages.ts";
import { isNotFound } from "../api/errors.ts";
import { capital } from "../format.ts";
import { Button } from "../ui/Button.tsx";
import { cx } from "../ui/cx.ts";
import { PartialNotice, ProgressLine, Region } from "../ui/Region.tsx";
import { useSkeleton } from "../ui/use-skeleton.ts";
import { useSlow } from "../ui/use-slow.ts";
import { Failure } from "./Failure.tsx";

interface QueryBoundaryProps<T> {
  query: Pick<
    UseQueryResult<T>,
    "data" | "error" | "isPending" | "isFetching" | "isError" | "dataUpdatedAt" | "refetch"
  >;
  /** of what: "the audit log" */
  what: string;
  /** in the final sizes, so that nothing jumps */
  skeleton: ReactNode;
  className?: string | undefined;
  /**
   * Its parts are cells of a positioned grid around it: nothing of its own takes a cell, and what failed is said in one
   * line instead of one cell.
   */
  cells?: boolean;
  children: (data: T) => ReactNode;
}

/**
 * A part of a page that is one read, in all its states: waiting, failed, forbidden, shown, refetching, and shown
 * although refetching failed. Empty results are left to the children.
 */
export function QueryBoundary<T>({ query, what, skeleton, className, cells = false, children }: QueryBoundaryProps<T>) {
  const { data, error, isPending, isFetching, isError, dataUpdatedAt } = query;
  const waiting = useSkeleton(isPending);
  const slow = useSlow(isPending);
  const retry = () => void query.refetch();
  return (
    <Region label={what} busy={isPending} className={cells ? "contents" : className}>
      <ProgressLine active={isFetching && !isPending} className={cells ? "absolute inset-x-0 top-0" : undefined} />
      {data === undefined ? (
        isError && cells ? (
          <FailedCells error={error} what={what} onRetry={retry} retrying={isFetching} />
        ) : isError ? (
          <div className="px-8 py-4 max-md:px-4">
            <Failure error={error} what={`${capital(what)} did not load`} onRetry={retry} retrying={isFetching} />
          </div>
        ) : (
          <>
            {slow && <Slow cells={cells} />}
            {/* it reserves its space from the start, and becomes visible only when the answer is slow */}
            <div aria-hidden="true" className={cx(cells && "contents", !waiting && "invisible")}>
              {skeleton}
            </div>
          </>
        )
      ) : (
        <>
          {isError && (
            <div className={cells ? "col-span-full" : "contents"}>
              <PartialNotice onRetry={isNotFound(error) ? undefined : retry} retrying={isFetching}>
                {capital(what)} {isNotFound(error) ? "no longer exists" : "could not be refreshed"}. This is from{" "}
                {new Date(dataUpdatedAt).toISOString().slice(11, 16)} UTC.
              </PartialNotice>
            </div>
          )}
          {children(data)}
        </>
      )}
    </Region>
  );
}

/** Lies over the skeleton, so that nothing moves. Where the parts of one grid all wait, theirs lie on each other. */
function Slow({ cells }: { cells: boolean }) {
  return (
    <div className={cells ? "absolute top-2 left-8 z-2 max-md:left-4" : "relative z-2 h-0 px-8 max-md:px-4"}>
      <p role="status" className="inline-block rounded-2 border border-line-2 bg-bg-0 px-3 py-1.5 text-12 text-fg-2">
        Still waiting for the gateway to answer.
      </p>
    </div>
  );
}

function FailedCells({ error, what, onRetry, retrying }: Parameters<typeof Failure>[0]) {
  const { title, said, status, requestId, retry } = explain(error);
  return (
    <p role="alert" className="col-span-full flex flex-wrap items-center gap-x-2 text-12 text-fg-2">
      <span>
        <b className="font-semibold text-bad-fg">{capital(what)} did not load.</b> {title}.
        {said !== undefined && <span> “{said}”</span>}
        {status !== undefined && ` HTTP ${status}`}
        {requestId !== undefined && <span className="mono select-all"> {requestId}</span>}
      </span>
      {retry && (
        <Button size="sm" variant="quiet" pending={retrying} onClick={onRetry}>
          Retry
        </Button>
      )}
    </p>
  );
}
