import { explain } from "../../api/explain.ts";
import { formatCount, formatDayTime } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";

interface OlderCallsProps {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => Promise<unknown>;
  };
  count: number;
  /** nothing that is newer than this is missing; null: nothing is */
  back: string | null;
}

/** The end of the list: more, a page that failed, or the first call of all. */
export function OlderCalls({ list, count, back }: OlderCallsProps) {
  const more = () => void list.fetchNextPage();
  if (list.isFetchNextPageError) {
    return (
      <div className="px-8 py-3 max-md:px-4">
        <Notice
          tone="warn"
          role="alert"
          action={
            <Button size="sm" pending={list.isFetchingNextPage} onClick={more}>
              Retry
            </Button>
          }
        >
          Older calls did not load. {list.error && explain(list.error).title}.
        </Notice>
      </div>
    );
  }
  const shown = count === 0 ? "Nothing found" : `${formatCount(count)} ${count === 1 ? "call" : "calls"}`;
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 px-8 py-3 text-12 text-fg-3 max-md:px-4">
      {list.hasNextPage ? (
        <>
          <Button size="sm" pending={list.isFetchingNextPage} onClick={more}>
            Look further back
          </Button>
          <span>
            {shown}
            {back !== null && `, back to ${formatDayTime(new Date(back), "UTC", { seconds: true })} UTC`}
          </span>
        </>
      ) : (
        `${shown}, back to the first.`
      )}
    </div>
  );
}
