import { useEffect, useMemo, useState } from "react";
import { useStore } from "../../api/store.ts";
import { useRowWindow } from "../../table/use-row-window.ts";
import { cx } from "../../ui/cx.ts";
import { GroupShape } from "./GroupShape.tsx";
import { NeighbourList } from "./NeighbourList.tsx";
import { PickedRows } from "./PickedRows.tsx";
import { change } from "./playground.ts";
import type { ViewProps } from "./ResultPane.tsx";
import { groupsOf } from "./rows.ts";

const rowHeight = 28;

/** Every row that was sent; choosing one shows its neighbours. */
export function ListView(props: ViewProps) {
  const { playground, run } = props;
  const { selected, picked } = useStore(playground.store);
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  const places = useMemo(
    () => (picked ? picked.toSorted((a, b) => a - b) : Array.from(run.shown.keys())),
    [picked, run.shown],
  );
  const groups = useMemo(() => groupsOf(run.shown), [run.shown]);
  const failed = new Map(run.progress.failures);
  const shown = useRowWindow(region, places.length, rowHeight);
  const at = selected === null ? -1 : places.indexOf(selected);
  useEffect(() => {
    if (!region || at === -1) return;
    const [top, bottom] = [at * rowHeight, (at + 1) * rowHeight];
    // chosen in another view, it may be far from what the list shows
    if (top < region.scrollTop || bottom > region.scrollTop + region.clientHeight) {
      region.scrollTo({ top: top - region.clientHeight / 2 });
    }
  }, [region, at]);
  return (
    <div className="grid min-h-0 grow md:grid-cols-[minmax(0,1fr)_300px]">
      <div ref={setRegion} className="min-h-60 overflow-y-auto">
        {picked && (
          <div className="border-b border-line px-6 py-2">
            <PickedRows {...props} picked={picked} />
          </div>
        )}
        <ul aria-label="Rows with vectors" className="relative" style={{ height: places.length * rowHeight }}>
          {places.slice(shown.first, shown.end).map((place, offset) => {
            const { text = "", number, group = "", image } = run.shown[place] ?? {};
            return (
              <li key={place} style={{ top: (shown.first + offset) * rowHeight }} className="absolute inset-x-0 h-7">
                <button
                  type="button"
                  aria-pressed={place === selected}
                  onClick={() => change(playground.store, { selected: place })}
                  className={cx(
                    "flex h-7 w-full items-center gap-2 px-6 text-left -outline-offset-2 hover:bg-bg-3 max-md:px-4",
                    place === selected && "bg-accent-bg shadow-[inset_3px_0_0_var(--accent)]",
                  )}
                >
                  <span className="w-10 shrink-0 text-right text-12 text-fg-3 tabular-nums">{number}</span>
                  {groups.length > 0 && <GroupShape place={groups.indexOf(group)} />}
                  {image !== undefined && <img src={image} alt="" className="size-5 rounded-1 object-cover" />}
                  <span className="min-w-0 grow truncate">{text.slice(0, 300)}</span>
                  {group !== "" && (
                    <span className="w-24 shrink-0 truncate text-12 text-fg-3 max-md:hidden">{group}</span>
                  )}
                  {failed.has(place) && <span className="text-12 text-bad-fg">failed</span>}
                </button>
              </li>
            );
          })}
        </ul>
      </div>
      <div className="overflow-y-auto border-l border-line p-4 max-md:border-t max-md:border-l-0">
        <NeighbourList {...props} />
      </div>
    </div>
  );
}
