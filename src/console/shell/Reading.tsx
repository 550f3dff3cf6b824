import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PartialNotice, ProgressLine, Region } from "../ui/Region.tsx";
import { useSkeleton } from "../ui/use-skeleton.ts";
import { Failure } from "./Failure.tsx";

interface ReadingProps<T> {
  query: Pick<
    UseQueryResult<T>,
    "data" | "error" | "isPending" | "isFetching" | "isError" | "dataUpdatedAt" | "refetch"
  >;
  /** of what: "the audit log" */
  what: string;
  /** in the final sizes, so that nothing jumps */
  skeleton: ReactNode;
  className?: string | undefined;
  children: (data: T) => ReactNode;
}

/**
 * A part of a page that is one read, in all its states: waiting, failed, forbidden, shown, being read again, and shown
 * although reading it again failed. What is empty is the children's to say.
 */
export function Reading<T>({ query, what, skeleton, className, children }: ReadingProps<T>) {
  const { data, error, isPending, isFetching, isError, dataUpdatedAt } = query;
  const waiting = useSkeleton(isPending);
  const retry = () => void query.refetch();
  return (
    <Region label={what} busy={isPending} className={className}>
      <ProgressLine active={isFetching && !isPending} />
      {data === undefined ? (
        isError ? (
          <div className="px-8 py-4 max-md:px-4">
            <Failure error={error} what={`${capital(what)} did not load`} onRetry={retry} retrying={isFetching} />
          </div>
        ) : (
          waiting && <div aria-hidden="true">{skeleton}</div>
        )
      ) : (
        <>
          {isError && (
            <PartialNotice onRetry={retry} retrying={isFetching}>
              {capital(what)} could not be read again. This is from{" "}
              {new Date(dataUpdatedAt).toISOString().slice(11, 16)} UTC.
            </PartialNotice>
          )}
          {children(data)}
        </>
      )}
    </Region>
  );
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
