import { useStore } from "../../api/store.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { whyMissing } from "./missing.ts";
import { MarkShape } from "./GroupShape.tsx";
import { markOf } from "./marks.ts";
import type { Mark } from "./marks.ts";
import { change, drawnAt } from "./playground.ts";
import type { ViewProps } from "./ResultPane.tsx";
import { groupsOf } from "./rows.ts";
import { useAnswer } from "./use-answer.ts";

interface NeighbourListProps extends ViewProps {
  /** how a row is marked in the picture beside the list; null where colours are a scale. Without it: by its label */
  markOfRow?: (row: number) => Mark | null;
}

/** The selected row and who is nearest to it, by cosine over all rows. Choosing one of them pins the pair. */
export function NeighbourList({ playground: { store, worker }, run, set, ...props }: NeighbourListProps) {
  const { selected, used, near: k, compared } = useStore(store);
  const look = selected === null ? null : { run: run.id, used, row: selected, k };
  const near = useAnswer(worker, "nearest", look, drawnAt(run)).data;
  if (selected === null) return <p className="text-12 text-fg-3">Choose a row to see what is nearest to it.</p>;
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
      <p className="pb-2.5 font-semibold break-words">{own?.text.slice(0, 300)}</p>
      <div className="flex items-center border-b border-line-2 pb-1 text-12 text-fg-3">
        <span className="grow">Nearest by cosine</span>
        <NativeSelect
          size="sm"
          aria-label="How many neighbours"
          value={k}
          onChange={(event) => change(store, { near: Number(event.target.value) })}
        >
          {[6, 10, 20, 50].map((count) => (
            <option key={count} value={count}>
              k {count}
            </option>
          ))}
        </NativeSelect>
      </div>
      {near?.rows.length === 0 && run.progress.done > 1 && (
        <p className="pt-1.5 text-12 text-fg-2">{whyMissing(run, selected)}</p>
      )}
      <ol aria-label="Nearest by cosine" className="max-h-120 overflow-y-auto">
        {Array.from(near?.rows ?? [], (row, index) => (
          <li key={row} className="border-b border-line">
            <button
              type="button"
              onClick={() => change(store, { pinned: [selected, row] })}
              className="flex w-full items-start gap-2 py-1.5 text-left text-12 -outline-offset-2 hover:bg-bg-3"
            >
              <span className="w-6 shrink-0 text-right text-fg-3 tabular-nums">{run.shown[row]?.number}</span>
              <span className="w-2.5 shrink-0 pt-0.5">{marked(markOfRow(row))}</span>
              <span className="line-clamp-3 min-w-0 grow break-words">{run.shown[row]?.text.slice(0, 200)}</span>
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
