import { lazy, Suspense } from "react";
import type { BulkActionsProps } from "./BulkActions.tsx";

const BulkActions = lazy(async () => ({ default: (await import("./BulkActions.tsx")).BulkActions }));

/** How many keys are selected, and what can be done with them at once: fetched with the first selection. */
export function BulkBar(props: BulkActionsProps) {
  const count = props.selected.length;
  return (
    <>
      <p role="status" className={count === 0 ? "sr-only" : "font-semibold"}>
        {count === 0 ? "" : count === 1 ? "1 key selected" : `${count} keys selected`}
      </p>
      {count > 0 && (
        <Suspense>
          <BulkActions {...props} />
        </Suspense>
      )}
    </>
  );
}
