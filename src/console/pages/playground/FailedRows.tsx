import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useStore } from "../../api/store.ts";
import { counted, formatCount } from "../../format.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { LinkButton, linkTextClass } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { isLasting, type Progress } from "../../vectors/run-batch.ts";
import { NoticeLine } from "./NoticeLine.tsx";
import { editRow, stillThere, type PlaygroundStore, type Run } from "./playground.ts";
import { refusalMessage, rowMessage, rowName } from "./refusal-messages.ts";

type Failure = Progress["failures"][number];

const listed = 100;
/** What another provider may not suffer from. */
const ofProvider = new Set([502, 503, 524, 529]);

interface FailedRowsProps {
  store: PlaygroundStore;
  run: Run;
  /** null while the run is under way */
  onRetry: (() => void) | null;
  /** retries with fallbacks allowed */
  onFallbacks: () => void;
}

/** Which rows have no vector, why, and what helps; the others are usable all the same. */
export function FailedRows(props: FailedRowsProps) {
  const { store, run, onRetry } = props;
  const { path } = useWorkspace();
  const { failures, total } = run.progress;
  const [failure] = failures;
  const edit = useEdit(store, run);
  if (!failure) return null;
  const [place, refused] = failure;
  const { title, advice, link } = refusalMessage(refused, run, path);
  const said = countOf(run, place);
  const whole = (role: "alert" | undefined) => (
    <Notice tone="bad" role={role} className="shrink-0 !items-start py-2.5 pr-(--pane-x)">
      <p>
        <strong className="font-semibold">{title}.</strong> {advice}{" "}
        {link && (
          <Link to={link.to} search={link.search ?? {}} className={`${linkTextClass} underline`}>
            {link.label}
          </Link>
        )}{" "}
        {said}
      </p>
      <p className="flex flex-wrap items-center gap-x-2.5 text-fg-2">
        <span className="min-w-0 wrap-anywhere">“{rowMessage(run, place, refused.message)}”</span>
        {refused.status > 0 && <span>HTTP {refused.status}</span>}
        {refused.requestId !== null && (
          <span className="inline-flex items-center gap-x-1.5">
            <span className="mono">{refused.requestId}</span>
            <CopyButton text={refused.requestId} label="Copy the request id" className="-my-1.5" />
          </span>
        )}
      </p>
      <div className="flex flex-wrap items-start gap-2 pt-1.5 empty:hidden">
        <Actions {...props} />
        {failures.length > 1 && (
          <Disclosure summary="The failed rows" className="grow open:basis-full">
            <ul aria-label="Failed rows" className="max-h-40 overflow-y-auto">
              {failures.slice(0, listed).map((each) => (
                <FailedRow key={each[0]} run={run} failure={each} onEdit={edit(each)} />
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
  // where no row has a vector there is nothing under it that could be moved
  if (run.progress.done === 0) return whole(onRetry ? "alert" : undefined);
  return (
    <NoticeLine
      tone="bad"
      announced={onRetry ? "alert" : undefined}
      action={<Actions {...props} />}
      details={whole(undefined)}
    >
      {formatCount(failures.length)} of {counted(total, "row")} failed, the first is {rowName(run.shown[place] ?? none)}
      . {title}.
    </NoticeLine>
  );
}

interface FailedRowProps {
  run: Run;
  failure: Failure;
  onEdit: (() => void) | undefined;
}

function FailedRow({ run, failure, onEdit }: FailedRowProps) {
  const row = run.shown[failure[0]];
  return (
    <li className="flex items-center gap-3 border-t border-line py-1">
      <span className="w-10 shrink-0 text-right tabular-nums">{row?.number}</span>
      <span className="w-2/5 shrink-0 truncate">{row?.text.slice(0, 200)}</span>
      <span className="min-w-0 grow text-fg-2">“{rowMessage(run, failure[0], failure[1].message)}”</span>
      {onEdit && (
        <LinkButton aria-label={`Edit row ${row?.number}`} onClick={onEdit}>
          Edit
        </LinkButton>
      )}
    </li>
  );
}

const none = { number: 0, text: "" };

function countOf({ progress, shown }: Run, place: number): string {
  const { failures, total } = progress;
  return `${formatCount(failures.length)} of ${counted(total, "row")} failed, the first is ${rowName(shown[place] ?? none)}.`;
}

/** What opens a row for editing, where that is what helps it. */
function useEdit(store: PlaygroundStore, run: Run): (failure: Failure) => (() => void) | undefined {
  const { rows, blocks, text } = useStore(store);
  const { mode, shown, items, progress } = run;
  const isThere = useMemo(() => stillThere({ rows, blocks, text }, { mode, shown }), [rows, blocks, text, mode, shown]);
  // of a refusal of everything, which names no row, no row is at fault
  const blames = items.length === 1 || progress.failures.length < items.length;
  return ([place, refused]) =>
    isLasting(refused) && (blames || refused.at !== null) && isThere(place)
      ? () => editRow(store, run, place)
      : undefined;
}

/** A retry where it can help, and where it cannot, the way to the first row that has to be changed. */
function Actions({ store, run, onRetry, onFallbacks }: FailedRowsProps) {
  const edit = useEdit(store, run);
  const { failures } = run.progress;
  if (!onRetry) return null;
  const passing = failures.filter(([, refused]) => !isLasting(refused));
  const alone = run.search.fallbacks === false && passing.some(([, { status }]) => ofProvider.has(status));
  const first = failures.find((each) => edit(each));
  return (
    <>
      {alone && (
        <Button size="sm" onClick={onFallbacks}>
          Allow fallbacks and retry
        </Button>
      )}
      {passing.length > 0 && (
        <Button size="sm" onClick={onRetry}>
          {passing.length === failures.length ? "Retry failed" : `Retry ${formatCount(passing.length)} of them`}
        </Button>
      )}
      {first !== undefined && (
        <Button size="sm" onClick={edit(first)}>
          {run.mode === "text" ? "Edit the text" : `Edit row ${formatCount(run.shown[first[0]]?.number ?? 0)}`}
        </Button>
      )}
    </>
  );
}
