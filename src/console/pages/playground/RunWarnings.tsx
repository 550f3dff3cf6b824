import type { ReactNode } from "react";
import { counted, formatCount } from "../../format.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { FailedRows } from "./FailedRows.tsx";
import { NoticeLine } from "./NoticeLine.tsx";
import { change, underWay, type Run } from "./playground.ts";
import { rowName } from "./refusal-messages.ts";
import type { ViewProps } from "./view-props.ts";
import { WaitLine } from "./WaitNotice.tsx";

type Warned = Pick<ViewProps, "playground" | "run" | "set">;

/** All that is wrong with a run, a line each: none of it hides another. */
export function RunWarnings({ playground, run, set }: Warned) {
  const { progress } = run;
  const { done, failures, waiting } = progress;
  return (
    <>
      {failures.length > 0 && (
        <FailedRows
          store={playground.store}
          run={run}
          onRetry={underWay(progress) ? null : () => playground.steer(run, "retry")}
          onFallbacks={() => {
            set({ fallbacks: undefined });
            playground.steer(run, "retry", { ...run.search, fallbacks: undefined });
          }}
        />
      )}
      {waiting && (done > 0 || failures.length > 0) && <WaitLine run={run} wait={waiting} />}
      {done > 0 && areMixed(run) && <MixedSpaces spaces={progress.spaces} />}
      {done > 0 && progress.unfamiliar.length > 0 && <UnfamiliarRows playground={playground} run={run} set={set} />}
    </>
  );
}

/** One space is expected; one for each, where queries and documents are sent as such. */
function areMixed({ progress, items }: Pick<Run, "progress" | "items">): boolean {
  return progress.spaces.length > new Set(items.map(({ inputType }) => inputType)).size;
}

/** Vectors that were not made in one way, which nothing else would show. */
function MixedSpaces({ spaces }: Pick<Run["progress"], "spaces">) {
  const list = (
    <ul className="pt-1">
      {spaces.map((id) => (
        <li key={id} className="flex items-center gap-1">
          <span className="mono min-w-0 break-all">{id}</span>
          <CopyButton text={id} label={`Copy ${id}`} />
        </li>
      ))}
    </ul>
  );
  return (
    <Warning more={list}>
      <b className="font-semibold">The vectors are of {formatCount(spaces.length)} spaces</b>: compare only those that
      one provider made in one way. Require one of them under Routing.
    </Warning>
  );
}

const listed = 20;

/** Rows whose vectors say little, which nothing else would show; all of them can be seen. */
function UnfamiliarRows({ playground: { store }, run: { progress, model, shown, removed }, set }: Warned) {
  const { total } = progress;
  const unfamiliar = progress.unfamiliar.filter((row) => !removed?.has(row));
  const [first] = unfamiliar;
  if (first === undefined) return null;
  const one = unfamiliar.length === 1;
  const see = () => {
    change(store, { picked: unfamiliar, selected: null });
    set({ view: "list" });
  };
  const list = (
    <>
      <ul aria-label="Rows of another language" className="max-h-40 overflow-y-auto pt-1">
        {unfamiliar.slice(0, listed).map((row) => (
          <li key={row} className="flex gap-3">
            <span className="w-10 shrink-0 text-right tabular-nums">{shown[row]?.number}</span>
            <LinkButton className="min-w-0 truncate" onClick={() => change(store, { selected: row })}>
              <bdi>{shown[row]?.text.slice(0, 200)}</bdi>
            </LinkButton>
          </li>
        ))}
      </ul>
      <LinkButton onClick={see}>
        {one ? "See it in the list" : `See all ${formatCount(unfamiliar.length)} in the list`}
      </LinkButton>
    </>
  );
  return (
    <Warning more={list}>
      <b className="font-semibold">
        {formatCount(unfamiliar.length)} of {counted(total, "row")}
      </b>{" "}
      {one ? "looks" : "look"} like a language that {model} does not know:{" "}
      {one ? "its vector says" : "their vectors say"} little. {one ? "It is" : "The first is"}{" "}
      {rowName(shown[first] ?? { number: 0, text: "" })}.
    </Warning>
  );
}

/** A sentence on one line, which opens to the whole of it and `more`. */
function Warning({ children, more }: { children: ReactNode; more?: ReactNode }) {
  return (
    <NoticeLine
      tone="warn"
      announced="status"
      details={
        <Notice tone="warn" className="shrink-0 pr-(--pane-x)">
          {children}
          {more}
        </Notice>
      }
    >
      {children}
    </NoticeLine>
  );
}
