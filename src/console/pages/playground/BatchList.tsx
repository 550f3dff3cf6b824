import { useEffect, useState } from "react";
import { useStore } from "../../api/store.ts";
import { useRowWindow } from "../../table/use-row-window.ts";
import { Kbd } from "../../ui/Kbd.tsx";
import { BatchRow } from "./BatchRow.tsx";
import { overLimit } from "./over-limit.ts";
import { change, currentRun, type PlaygroundStore } from "./playground.ts";
import { tokensOf } from "./row-tokens.ts";
import { makeRow, type flagRows, type Row } from "./rows.ts";

const rowHeight = 28;

interface BatchListProps {
  store: PlaygroundStore;
  flags: ReturnType<typeof flagRows>;
  groups: readonly string[];
  /** whether rows have a field for a label */
  labelled: boolean;
  /** tokens, of the model */
  limit: number | null;
  /** what is over the limit is cut */
  cut: boolean;
  onPut: (rows: readonly Row[], step?: string) => void;
  /** lines were pasted into a row */
  onLines: (text: string, at: Row) => void;
}

/** The rows of a batch, drawn as far as they are seen. */
export function BatchList({ store, flags, groups, labelled, limit, cut, onPut, onLines }: BatchListProps) {
  const state = useStore(store);
  const { rows, selected, editing } = state;
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  /** the place of the row that is to have the focus once it is drawn */
  const [aim, setAim] = useState<number | null>(null);
  const shown = useRowWindow(region, rows.length, rowHeight);
  const run = currentRun(state);
  const marked = selected === null ? undefined : run?.shown[selected]?.source;

  useEffect(() => {
    // what was chosen in a picture is brought into sight here
    const place = marked === undefined ? -1 : store.get().rows.findIndex(({ id }) => id === marked);
    if (place >= 0 && region) bringIntoSight(region, place);
  }, [marked, region, store]);
  useEffect(() => {
    if (editing === null || !region) return;
    const place = store.get().rows.findIndex(({ id }) => id === editing);
    change(store, { editing: null });
    if (place >= 0) setAim(place);
  }, [editing, region, store]);
  useEffect(() => {
    if (aim === null || !region) return;
    bringIntoSight(region, aim);
    const field = region.querySelector<HTMLElement>(`[data-place="${aim}"]`);
    if (!field) return;
    field.focus();
    setAim(null);
  }, [aim, region, rows, shown]);
  return (
    <div ref={setRegion} className="min-h-40 grow basis-0 overflow-y-auto @max-[800px]/panes:max-h-100">
      <ul aria-label="Rows" className="relative mt-1.5" style={{ height: rows.length * rowHeight }}>
        {rows.slice(shown.first, shown.end).map((row, offset) => (
          <BatchRow
            key={row.id}
            row={row}
            place={shown.first + offset}
            top={(shown.first + offset) * rowHeight}
            group={groups.indexOf(row.group)}
            flag={
              flags.repeats.has(row.id)
                ? { short: `same as row ${flags.repeats.get(row.id)}` }
                : flags.empty.has(row.id) && rows.length > 1
                  ? { short: "empty, skipped" }
                  : overLimit(row.text, tokensOf(row), limit, cut)
            }
            labelled={labelled}
            marked={row.id === marked}
            onChange={(next) => onPut(rows.with(rows.indexOf(row), next), `row ${row.id}`)}
            onLines={(text) => onLines(text, row)}
            onAdd={() => {
              onPut(rows.toSpliced(rows.indexOf(row) + 1, 0, makeRow("", row.group)));
              setAim(rows.indexOf(row) + 1);
            }}
            onStep={(by) => setAim(Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + by)))}
            onRemove={() => {
              setAim(Math.max(0, Math.min(rows.length - 2, rows.indexOf(row))));
              onPut(rows.filter((other) => other !== row));
            }}
            onSelect={() => {
              const at = run?.shown.findIndex(({ source }) => source === row.id) ?? -1;
              if (at >= 0) change(store, { selected: at });
            }}
          />
        ))}
      </ul>
      <button
        type="button"
        onClick={() => {
          onPut([...rows, makeRow("", rows.at(-1)?.group)]);
          setAim(rows.length);
        }}
        className="mb-2 ml-19 flex h-7 items-center gap-2 rounded-1 text-fg-3 hover:text-fg-1 max-md:ml-15"
      >
        Add a row <Kbd>↵</Kbd>
      </button>
    </div>
  );
}

function bringIntoSight(region: HTMLElement, place: number): void {
  const top = place * rowHeight;
  const lowest = top + rowHeight - region.clientHeight;
  if (top < region.scrollTop || lowest > region.scrollTop)
    region.scrollTo({ top: top < region.scrollTop ? top : lowest });
}
