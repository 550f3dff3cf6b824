import type { ReactNode } from "react";
import { explain } from "../api/error-messages.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";

interface OlderProps {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => Promise<unknown>;
  };
  /** of what: "changes" */
  what: string;
  /** the words on the button, where they are not "Show older changes" */
  action?: string;
  /** next to the button: how far back the list reaches so far */
  shown?: ReactNode;
  /** replaces the button once everything is shown */
  end?: ReactNode;
}

/** The end of a list that is read page by page: more, a page that failed, or the end. */
export function Older({ list, what, action = `Show older ${what}`, shown, end }: OlderProps) {
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
          Older {what} did not load. {explain(list.error).title}.
        </Notice>
      </div>
    );
  }
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 px-8 py-3 text-12 text-fg-3 empty:hidden max-md:px-4"
    >
      {list.hasNextPage ? (
        <>
          <Button size="sm" pending={list.isFetchingNextPage} onClick={more}>
            {action}
          </Button>
          {shown}
        </>
      ) : (
        end
      )}
    </div>
  );
}
