import { Link } from "@tanstack/react-router";
import { counted, formatCount } from "../../format.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { Run } from "./playground.ts";
import { refusalMessage } from "./refusal-messages.ts";

const listed = 100;
/** What another provider may not suffer from. */
const ofProvider = new Set([502, 503, 524, 529]);

interface FailedRowsProps {
  run: Run;
  /** null while the run is under way */
  onRetry: (() => void) | null;
  /** retries with fallbacks allowed */
  onFallbacks: () => void;
}

/** Which rows have no vector, why, and what helps; the others are usable all the same. */
export function FailedRows({ run, onRetry, onFallbacks }: FailedRowsProps) {
  const { path } = useWorkspace();
  const { failures, total } = run.progress;
  const [failure] = failures;
  if (!failure) return null;
  const [place, refused] = failure;
  const { title, advice, link } = refusalMessage(refused, run, path);
  const alone = run.search.fallbacks === false && ofProvider.has(refused.status);
  return (
    <Notice tone="bad" role={onRetry ? "alert" : undefined} className="shrink-0 !items-start py-2.5 pr-6">
      <p>
        <strong className="font-semibold">{title}.</strong> {advice}{" "}
        {link && (
          <Link to={link.to} search={link.search ?? {}} className={`${linkTextClass} underline`}>
            {link.label}
          </Link>
        )}{" "}
        {formatCount(failures.length)} of {counted(total, "row")} failed, the first is row {run.shown[place]?.number}.
      </p>
      <p className="flex flex-wrap items-center gap-x-2.5 text-fg-2">
        <span className="min-w-0 break-words">“{refused.message}”</span>
        {refused.status > 0 && <span>HTTP {refused.status}</span>}
        {refused.requestId !== null && (
          <span className="inline-flex items-center gap-x-1.5">
            <span className="mono">{refused.requestId}</span>
            <CopyButton text={refused.requestId} label="Copy the request id" className="-my-1.5" />
          </span>
        )}
      </p>
      <div className="flex flex-wrap items-start gap-2 pt-1.5 empty:hidden">
        {onRetry && (
          <>
            {alone && (
              <Button size="sm" onClick={onFallbacks}>
                Allow fallbacks and retry
              </Button>
            )}
            <Button size="sm" onClick={onRetry}>
              Retry failed
            </Button>
          </>
        )}
        {failures.length > 1 && (
          <Disclosure summary="The failed rows" className="grow open:basis-full">
            <ul aria-label="Failed rows" className="max-h-40 overflow-y-auto">
              {failures.slice(0, listed).map(([at, each]) => (
                <li key={at} className="flex gap-3 border-t border-line py-1">
                  <span className="w-10 shrink-0 text-right tabular-nums">{run.shown[at]?.number}</span>
                  <span className="w-2/5 shrink-0 truncate">{run.shown[at]?.text.slice(0, 200)}</span>
                  <span className="min-w-0 grow text-fg-2">“{each.message}”</span>
                </li>
              ))}
              {failures.length > listed && (
                <li className="border-t border-line py-1">and {formatCount(failures.length - listed)} more</li>
              )}
            </ul>
          </Disclosure>
        )}
      </div>
    </Notice>
  );
}
