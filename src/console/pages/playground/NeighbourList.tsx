import { useEffect, useEffectEvent, useRef } from "react";
import { useStore } from "../../api/store.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { cx } from "../../ui/cx.ts";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { missingReason } from "./missing-reason.ts";
import { MarkShape } from "./GroupShape.tsx";
import { markOf, type Mark } from "./category-marks.ts";
import { change, drawnAt } from "./playground.ts";
import type { ViewProps } from "./view-props.ts";
import { RowFace } from "./RowFace.tsx";
import { groupsOf } from "./rows.ts";
import { cosineText } from "../../vectors/similarity-scale.ts";
import { useAnswer } from "./use-answer.ts";

interface NeighbourListProps extends ViewProps {
  /** how a row is marked in the picture beside the list; null where colors are a scale. Without it: by its label */
  markOfRow?: (row: number) => Mark | null;
  /** the row whose nearest one gets the focus, as soon as it is known */
  entered?: number | null;
  onEntered?: () => void;
}

/** The selected row and its nearest rows, by cosine over all rows. Choosing one of them pins the pair. */
export function NeighbourList({ playground: { store, worker }, run, hits, set, ...props }: NeighbourListProps) {
  const { selected, used, near: k, compared } = useStore(store);
  const slice = selected === null ? null : { run: run.id, used, row: selected, k };
  const { data: near, pending } = useAnswer(worker, "nearest", slice, drawnAt(run));
  const list = useRef<HTMLOListElement>(null);
  const enters = !pending && selected !== null && props.entered === selected;
  const enter = useEffectEvent(() => {
    list.current?.querySelector("button")?.focus();
    props.onEntered?.();
  });
  useEffect(() => {
    if (enters) enter();
  }, [enters]);
  if (selected === null)
    return (
      <div className="text-12 text-fg-3">
        {hits && (
          <>
            <p className="border-b border-line-2 pb-1">Nearest to the question</p>
            <ol aria-label="Nearest to the question" className="pb-2">
              {Array.from(hits.rows.slice(0, k), (row, rank) => (
                <li key={row} className="border-b border-line">
                  <button
                    type="button"
                    onClick={() => change(store, { selected: row })}
                    className="flex w-full items-start gap-2 py-1.5 text-left text-fg-1 -outline-offset-2 hover:bg-bg-3"
                  >
                    <span className="w-6 shrink-0 text-right text-fg-3 tabular-nums">#{rank + 1}</span>
                    <RowFace
                      shown={run.shown[row]}
                      most={200}
                      side="size-10"
                      className="line-clamp-3 min-w-0 grow wrap-anywhere"
                    />
                    <span className="ml-auto tabular-nums">{cosineText(hits.scores[rank] ?? 0)}</span>
                  </button>
                </li>
              ))}
            </ol>
          </>
        )}
        <p>Choose a row to see what is nearest to it.</p>
      </div>
    );
  const groups = groupsOf(run.shown);
  const markOfGroup = (row: number) => {
    const place = groups.indexOf(run.shown[row]?.group ?? "");
    return place < 0 ? null : markOf(place);
  };
  const markOfRow = props.markOfRow ?? markOfGroup;
  const own = run.shown[selected];
  function doubt() {
    if (!compared.includes(run.id)) change(store, { compared: [...compared, run.id].slice(-4) });
    set({ view: "compare" });
  }
  return (
    <div>
      <p className="text-12 text-fg-3">Selected, row {own?.number}</p>
      <p
        className={cx(
          "pb-2.5 font-semibold wrap-anywhere",
          own?.image !== undefined && "flex items-center gap-2.5 pt-1",
        )}
      >
        <RowFace shown={own} most={300} side="size-16" className="min-w-0 wrap-anywhere" />
      </p>
      <div className="flex items-center border-b border-line-2 pb-1 text-12 text-fg-3">
        <span className="grow">Nearest by cosine</span>
        <NativeSelect
          size="sm"
          aria-label="How many neighbors"
          value={k}
          onChange={(event) => change(store, { near: Number(event.target.value) })}
        >
          {[5, 10, 20, 50].map((count) => (
            <option key={count} value={count}>
              k {count}
            </option>
          ))}
        </NativeSelect>
      </div>
      {near?.rows.length === 0 && run.progress.done > 1 && (
        <p className="pt-1.5 text-12 text-fg-2">{missingReason(run, selected)}</p>
      )}
      <ol ref={list} aria-label="Nearest by cosine" className="max-h-120 overflow-y-auto">
        {Array.from(near?.rows ?? [], (row, index) => (
          <li key={row} className="border-b border-line">
            <button
              type="button"
              onClick={() => change(store, { pinned: [selected, row] })}
              className={cx(
                "flex w-full gap-2 py-1.5 text-left text-12 -outline-offset-2 hover:bg-bg-3",
                run.shown[row]?.image === undefined ? "items-start" : "items-center",
              )}
            >
              <span className="w-6 shrink-0 text-right text-fg-3 tabular-nums">{run.shown[row]?.number}</span>
              <span className="w-2.5 shrink-0 pt-0.5">{marked(markOfRow(row))}</span>
              <RowFace
                shown={run.shown[row]}
                most={200}
                side="size-10"
                className="line-clamp-3 min-w-0 grow wrap-anywhere"
              />
              <span className="tabular-nums">{near?.scores[index]?.toFixed(2)}</span>
            </button>
          </li>
        ))}
      </ol>
      <LinkButton className="mt-1 text-12" onClick={doubt}>
        Not what I expected
      </LinkButton>
    </div>
  );
}

const marked = (mark: Mark | null) => mark && <MarkShape mark={mark} />;
