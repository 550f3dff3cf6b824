import { formatCount } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { Run } from "./playground.ts";

const listed = 100;

/** Which rows have no vector, and why; the others are usable all the same. */
export function FailedRows({ run, onRetry }: { run: Run; onRetry: (() => void) | null }) {
  const { failures, total } = run.progress;
  const [failure] = failures;
  if (!failure) return null;
  return (
    <Notice
      tone="bad"
      role={onRetry ? "alert" : undefined}
      action={
        onRetry && (
          <Button size="sm" onClick={onRetry}>
            Retry failed
          </Button>
        )
      }
    >
      {formatCount(failures.length)} of {formatCount(total)} rows failed, the first is row{" "}
      {run.shown[failure[0]]?.number}: “{failure[1].message}”
      {failure[1].requestId && <span className="mono text-fg-3"> {failure[1].requestId}</span>}
      {failures.length > 1 && (
        <Disclosure summary="The failed rows">
          <ul aria-label="Failed rows" className="max-h-40 overflow-y-auto">
            {failures.slice(0, listed).map(([place, refused]) => (
              <li key={place} className="flex gap-3 border-t border-line py-1">
                <span className="w-10 shrink-0 text-right tabular-nums">{run.shown[place]?.number}</span>
                <span className="w-2/5 shrink-0 truncate">{run.shown[place]?.text.slice(0, 200)}</span>
                <span className="min-w-0 grow text-fg-2">“{refused.message}”</span>
              </li>
            ))}
            {failures.length > listed && (
              <li className="border-t border-line py-1">and {formatCount(failures.length - listed)} more</li>
            )}
          </ul>
        </Disclosure>
      )}
    </Notice>
  );
}
