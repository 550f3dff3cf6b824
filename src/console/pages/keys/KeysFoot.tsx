import type { ReactNode } from "react";
import { explain } from "../../api/error-messages.ts";
import { UpdatedAgo } from "../../shell/UpdatedAgo.tsx";
import { cx } from "../../ui/cx.ts";
import { Button } from "../../ui/Button.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { Notice } from "../../ui/Notice.tsx";

interface KeysFootProps {
  read: {
    isFetchNextPageError: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    dataUpdatedAt: number;
    error: unknown;
    isRefetchError: boolean;
    fetchNextPage: () => unknown;
    refetch: () => unknown;
  };
  shown: number;
  total: { count: number; more: boolean } | undefined;
  zone: "utc" | "local";
  workspacesFailed: boolean;
  onRetryWorkspaces: () => void;
  countsFailed: boolean;
  onRetryCounts: () => void;
  children: ReactNode;
}

/** Under the table: what did not load, how much there is, how old it is, and the keys that work on rows. */
export function KeysFoot({
  read,
  shown,
  total,
  zone,
  workspacesFailed,
  onRetryWorkspaces,
  countsFailed,
  onRetryCounts,
  children,
}: KeysFootProps) {
  const trouble = read.isFetchNextPageError
    ? { text: "The next rows did not load.", retry: read.fetchNextPage }
    : read.isRefetchError
      ? { text: "The list could not be refreshed; what you see is older.", retry: read.refetch }
      : countsFailed
        ? { text: "The counts did not load; the rows are current.", retry: onRetryCounts }
        : workspacesFailed
          ? { text: "The names of the workspaces did not load.", retry: onRetryWorkspaces }
          : null;
  return (
    <footer className="shrink-0">
      {trouble && shown > 0 && (
        <Notice
          tone="warn"
          role="status"
          className="mx-8 max-md:mx-4"
          action={
            <Button size="sm" variant="quiet" onClick={() => void trouble.retry()}>
              Retry
            </Button>
          }
        >
          {trouble.text} {read.error ? explain(read.error).said : null}
        </Notice>
      )}
      <div
        className={cx(
          "flex flex-wrap items-center gap-x-5 gap-y-1 px-8 text-12 text-fg-3 max-md:px-4",
          // without rows it has no height, so that their coming moves nothing that was seen
          shown > 0 && "min-h-10",
        )}
      >
        {children}
        {shown > 0 && (
          <>
            <span>{rowsText(shown, total, read.hasNextPage, read.isFetchingNextPage)}</span>
            <span>{zone === "utc" ? "Times in UTC" : "Times where you are"}</span>
            <span className="max-md:hidden">
              <UpdatedAgo at={read.dataUpdatedAt} />
            </span>
            <span className="ml-auto flex items-center gap-1.5 max-md:hidden">
              <Kbd>J</Kbd>
              <Kbd>K</Kbd> move
              <Kbd className="ml-4">X</Kbd> select
              <Kbd className="ml-4">↵</Kbd> open
            </span>
          </>
        )}
      </div>
    </footer>
  );
}

function rowsText(shown: number, total: KeysFootProps["total"], more: boolean, loading: boolean): string {
  const of = total
    ? `${shown.toLocaleString("en-US")} of ${total.count.toLocaleString("en-US")}${total.more ? "+" : ""}`
    : String(shown);
  if (loading) return `${of} loaded, loading more`;
  if (more) return `${of} loaded, scroll for more`;
  return shown === 1 ? "1 key" : `${shown.toLocaleString("en-US")} keys`;
}
