import { formatPercent } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Meter } from "../../ui/Meter.tsx";
import type { Answered } from "./use-answer.ts";

interface WorkProgressProps {
  work: Pick<Answered<unknown>, "share" | "cancelled" | "cancel" | "again">;
  /** what is done, such as "Comparing dimensions" */
  what: string;
}

/** How far a long work of the worker is, with a button that ends it; nothing of quick work. */
export function WorkProgress({ work: { share, cancelled, cancel, again }, what }: WorkProgressProps) {
  if (!cancelled && share === null) return null;
  return (
    <p className="flex min-w-0 grow items-center gap-3 text-12 text-fg-2 tabular-nums">
      <span role="status" className="truncate">
        {what}
        {cancelled && ": cancelled"}
      </span>
      {cancelled ? (
        <Button size="sm" onClick={again}>
          Start again
        </Button>
      ) : (
        <>
          <Meter role="progressbar" fraction={share ?? 0} tone="accent" bars={16} label={what} />
          <span className="w-9 text-right">{formatPercent(share ?? 0)}</span>
          <Button size="sm" onClick={cancel}>
            Cancel
          </Button>
        </>
      )}
    </p>
  );
}
