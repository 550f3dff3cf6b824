import { counted } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import type { LiveCalls } from "./use-live-calls.ts";

/** How many calls came since somebody follows them, and why they are not shown now. */
export function LiveStatus({ live, onReload }: { live: LiveCalls; onReload: () => void }) {
  if (!live.on) return null;
  const { came, held, gap, paused } = live;
  return (
    <div
      role="status"
      className="sticky top-12 z-2 flex min-h-10 flex-wrap items-center gap-3 border-y border-accent-line bg-accent-bg px-8 py-1 text-13 max-md:px-4"
    >
      {gap ? (
        <>
          More calls came than can be shown one by one.
          <Button size="sm" onClick={onReload}>
            Show the newest
          </Button>
        </>
      ) : held > 0 && paused !== null ? (
        <>
          {counted(held, "new call")} above. Paused while you read.
          <Button size="sm" onClick={() => window.scrollTo({ top: 0 })}>
            Show
          </Button>
        </>
      ) : (
        <>
          {came === 0 ? "Waiting for new calls." : `${counted(came, "new call")} so far.`}
          {paused === "scrolled" && " Paused while you read."}
        </>
      )}
    </div>
  );
}
