import { useStore } from "../../api/store.ts";
import { groupsOf } from "./rows.ts";
import { GroupShape } from "./GroupShape.tsx";
import { change } from "./playground.ts";
import type { ViewProps } from "./ResultPane.tsx";
import { useAnswer } from "./use-answer.ts";

/** The selected row and who is nearest to it, by cosine over all rows. */
export function NeighbourList({ playground: { store, worker }, run }: ViewProps) {
  const { selected, used } = useStore(store);
  const near = useAnswer(
    worker,
    "nearest",
    selected === null ? null : { run: run.id, used, row: selected, k: 10 },
    run.progress.done,
  ).data;
  if (selected === null) return <p className="text-12 text-fg-3">Choose a row to see what is nearest to it.</p>;
  const groups = groupsOf(run.shown);
  return (
    <div>
      <p className="text-12 text-fg-3">Selected, row {run.shown[selected]?.number}</p>
      <p className="pb-2 font-semibold break-words">{run.shown[selected]?.text.slice(0, 300)}</p>
      <ol aria-label="Nearest by cosine" className="border-t border-line-2">
        {Array.from(near?.rows ?? [], (row, index) => (
          <li key={row} className="border-b border-line">
            <button
              type="button"
              onClick={() => change(store, { selected: row, pinned: [selected, row] })}
              className="flex w-full items-start gap-2 py-1.5 text-left text-12 hover:bg-bg-3"
            >
              <span className="w-7 shrink-0 text-right text-fg-3 tabular-nums">{run.shown[row]?.number}</span>
              <span className="pt-0.5">
                <GroupShape place={groups.indexOf(run.shown[row]?.group ?? "")} />
              </span>
              <span className="min-w-0 grow truncate">{run.shown[row]?.text.slice(0, 200)}</span>
              <span className="tabular-nums">{near?.scores[index]?.toFixed(2)}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
