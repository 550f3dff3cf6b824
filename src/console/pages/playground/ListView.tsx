import { useEffect, useMemo, useState } from "react";
import { useStore } from "../../api/store.ts";
import { useRowWindow } from "../../table/use-row-window.ts";
import { cx } from "../../ui/cx.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { questionField } from "./AskField.tsx";
import { GroupShape } from "./GroupShape.tsx";
import { NeighbourList } from "./NeighbourList.tsx";
import { PickedRows } from "./PickedRows.tsx";
import { change, drawnAt } from "./playground.ts";
import type { ViewProps } from "./view-props.ts";
import { RowFilter } from "./RowFilter.tsx";
import { RowFace } from "./RowFace.tsx";
import { groupsOf } from "./rows.ts";
import { cosineText } from "../../vectors/similarity-scale.ts";
import { useAnswer } from "./use-answer.ts";
import { nearSentence, rankedSentence } from "./view-sentences.ts";
import { useNearest, ViewSentence } from "./ViewSentence.tsx";
import { WorkProgress } from "./WorkProgress.tsx";

const [textHeight, pictureHeight] = [28, 44];

/** Every row that was sent; choosing one shows its neighbors. */
export function ListView(props: ViewProps) {
  const { playground, run, hits } = props;
  const { selected, picked, used } = useStore(playground.store);
  /** the row that the others are ranked by; a question comes first */
  const [like, setLike] = useState<number | null>(null);
  const ofRow = useAnswer(
    playground.worker,
    "scores",
    like === null ? null : { run: run.id, used, row: like },
    drawnAt(run),
  ).data;
  const scores = hits?.byRow ?? (like === null ? null : (ofRow ?? null));
  const { near, answer } = useNearest(playground.worker, run, used, scores === null);
  const to = hits ? ({ question: true } as const) : { row: like ?? 0 };
  const sentence = scores ? rankedSentence(scores, to, run.shown) : near && nearSentence(near, run.shown);
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  const rows = useMemo(() => {
    const there = picked ? picked.toSorted((a, b) => a - b) : Array.from(run.shown.keys());
    const inOrder = there.filter((row) => !run.removed?.has(row));
    if (!scores) return inOrder;
    // what has no vector comes last
    const of = (row: number) => (Number.isNaN(scores[row]) ? -2 : (scores[row] ?? -2));
    return inOrder.toSorted((a, b) => of(b) - of(a));
  }, [picked, run.shown, run.removed, scores]);
  const groups = useMemo(() => groupsOf(run.shown), [run.shown]);
  const rowHeight = run.shown.some(({ image }) => image !== undefined) ? pictureHeight : textHeight;
  const failed = new Map(run.progress.failures);
  const unfamiliar = new Set(run.progress.unfamiliar);
  const shown = useRowWindow(region, rows.length, rowHeight);
  const at = selected === null ? -1 : rows.indexOf(selected);
  useEffect(() => {
    if (!region || at === -1) return;
    const [top, bottom] = [at * rowHeight, (at + 1) * rowHeight];
    // chosen in another view, it may be far from what the list shows
    if (top < region.scrollTop || bottom > region.scrollTop + region.clientHeight) {
      region.scrollTo({ top: top - region.clientHeight / 2 });
    }
  }, [region, at, rowHeight]);
  function rankBy(row: number) {
    setLike(row);
    change(playground.store, { selected: row });
  }
  return (
    <>
      <ViewSentence
        sentence={sentence}
        run={run}
        work={<WorkProgress work={answer} what="Comparing each row with its nearest" />}
      />
      <div className="grid grow @max-[600px]/results:grid-rows-[minmax(240px,1fr)_auto] @min-[600px]/results:min-h-60 @min-[600px]/results:grid-cols-[minmax(0,1fr)_clamp(220px,36%,300px)]">
        <div
          ref={setRegion}
          className="min-h-60 overflow-y-auto @max-[800px]/panes:max-h-[60dvh] @max-[600px]/results:max-h-[60dvh]"
        >
          <div className="flex flex-wrap items-center gap-x-3 border-b border-line px-(--pane-x) py-1 text-12 text-fg-2">
            <RowFilter {...props} />
            {picked && <PickedRows {...props} picked={picked} />}
            {hits ? (
              <p>By cosine with the question</p>
            ) : (
              <>
                <p>{like === null ? "In the order of the input" : `By cosine with row ${run.shown[like]?.number}`}</p>
                <LinkButton onClick={() => document.getElementById(questionField)?.focus()}>
                  Rank by a question
                </LinkButton>
                {like !== (selected ?? 0) && (
                  <LinkButton onClick={() => rankBy(selected ?? 0)}>
                    Rank by row {run.shown[selected ?? 0]?.number}
                  </LinkButton>
                )}
                {like !== null && <LinkButton onClick={() => setLike(null)}>Order of the input</LinkButton>}
              </>
            )}
          </div>
          <ul aria-label="Rows with vectors" className="relative" style={{ height: rows.length * rowHeight }}>
            {rows.slice(shown.first, shown.end).map((row, offset) => {
              const { number, group = "" } = run.shown[row] ?? {};
              return (
                <li key={row} style={{ top: (shown.first + offset) * rowHeight }} className="absolute inset-x-0">
                  <button
                    type="button"
                    aria-pressed={row === selected}
                    onClick={() => change(playground.store, { selected: row })}
                    style={{ height: rowHeight }}
                    className={cx(
                      "flex w-full items-center gap-2 px-(--pane-x) text-left -outline-offset-2 hover:bg-bg-3",
                      row === selected && "bg-accent-bg shadow-[inset_3px_0_0_var(--accent)]",
                    )}
                  >
                    <span className="w-10 shrink-0 text-right text-12 text-fg-3 tabular-nums">{number}</span>
                    {scores && (
                      <span className="w-9 shrink-0 text-right text-12 tabular-nums">
                        {Number.isNaN(scores[row]) ? "–" : cosineText(scores[row] ?? 0)}
                      </span>
                    )}
                    {groups.length > 0 && <GroupShape place={groups.indexOf(group)} />}
                    <RowFace shown={run.shown[row]} most={300} side="size-9" className="min-w-0 grow truncate" />
                    {group !== "" && (
                      <span className="w-24 shrink-0 truncate text-12 text-fg-3 @max-[560px]/results:hidden">
                        {group}
                      </span>
                    )}
                    {unfamiliar.has(row) && <span className="shrink-0 text-12 text-warn-fg">other language</span>}
                    {failed.has(row) && <span className="text-12 text-bad-fg">failed</span>}
                  </button>
                </li>
              );
            })}
          </ul>
        </div>
        <div className="border-line px-(--pane-x) py-4 @max-[600px]/results:border-t @min-[600px]/results:overflow-y-auto @min-[600px]/results:border-l @min-[600px]/results:pl-4">
          <NeighbourList {...props} />
        </div>
      </div>
    </>
  );
}
