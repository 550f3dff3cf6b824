import { useState } from "react";
import { useStore } from "../../api/store.ts";
import { useRowWindow } from "../../table/use-row-window.ts";
import { cx } from "../../ui/cx.ts";
import { NeighbourList } from "./NeighbourList.tsx";
import { change } from "./playground.ts";
import type { ViewProps } from "./ResultPane.tsx";

const rowHeight = 28;

/** Every row that was sent; choosing one shows its neighbours. */
export function ListView({ playground, run }: ViewProps) {
  const { selected } = useStore(playground.store);
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  const shown = useRowWindow(region, run.shown.length, rowHeight);
  return (
    <div className="grid min-h-0 grow md:grid-cols-[minmax(0,1fr)_300px]">
      <div ref={setRegion} className="min-h-60 overflow-y-auto">
        <ul aria-label="Rows with vectors" className="relative" style={{ height: run.shown.length * rowHeight }}>
          {run.shown.slice(shown.first, shown.end).map(({ text, number }, offset) => {
            const place = shown.first + offset;
            return (
              <li key={place} style={{ top: place * rowHeight }} className="absolute inset-x-0 h-7">
                <button
                  type="button"
                  aria-pressed={place === selected}
                  onClick={() => change(playground.store, { selected: place })}
                  className={cx(
                    "flex h-7 w-full items-center gap-2 px-6 text-left -outline-offset-2 hover:bg-bg-3",
                    place === selected && "bg-accent-bg",
                  )}
                >
                  <span className="w-10 text-right text-12 text-fg-3 tabular-nums">{number}</span>
                  <span className="truncate">{text.slice(0, 300)}</span>
                </button>
              </li>
            );
          })}
        </ul>
      </div>
      <div className="border-l border-line p-4">
        <NeighbourList playground={playground} run={run} />
      </div>
    </div>
  );
}
