import { explain } from "../../api/explain.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";

interface OlderEntriesProps {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => Promise<unknown>;
  };
  count: number;
}

/** The end of the list: more, a page that failed, or the beginning of the log. */
export function OlderEntries({ list, count }: OlderEntriesProps) {
  const more = () => void list.fetchNextPage();
  return (
    <div className="px-8 py-3 text-12 text-fg-3 max-md:px-4">
      {list.isFetchNextPageError ? (
        <Notice
          tone="warn"
          role="alert"
          action={
            <Button size="sm" pending={list.isFetchingNextPage} onClick={more}>
              Retry
            </Button>
          }
        >
          Older changes did not load. {explain(list.error).title}.
        </Notice>
      ) : list.hasNextPage ? (
        <div className="flex items-center gap-3">
          <Button size="sm" pending={list.isFetchingNextPage} onClick={more}>
            Show older changes
          </Button>
          {count.toLocaleString("en-US")} shown
        </div>
      ) : (
        `${count.toLocaleString("en-US")} in all, back to the first. The log is kept for as long as the store is.`
      )}
    </div>
  );
}
