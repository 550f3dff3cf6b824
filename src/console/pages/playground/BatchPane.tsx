import { useEffect, useMemo, useRef, useState } from "react";
import type { DragEvent } from "react";
import { useStore } from "../../api/store.ts";
import { formatCount } from "../../format.ts";
import { useRowWindow } from "../../table/use-row-window.ts";
import { Kbd } from "../../ui/Kbd.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { BatchRow } from "./BatchRow.tsx";
import type { InputProps } from "./InputPane.tsx";
import type { Columns, Format } from "./parse-rows.ts";
import { change, currentRun, putRows, tokensOf, undoRows } from "./playground.ts";
import type { Calls } from "./protocol.ts";
import { ReadAs } from "./ReadAs.tsx";
import { flagRows, groupsOf, makeRow } from "./rows.ts";
import type { Row } from "./rows.ts";
import { LongRows } from "./LongRows.tsx";
import { longFlag } from "./long-flag.ts";
import { readAgain, takeRows } from "./taken-rows.ts";
import type { Taken } from "./taken-rows.ts";
import { splitText } from "./tokens.ts";

const rowHeight = 28;
const mostBytes = 20 * 1_048_576;

/** Many texts, a row each: typed, pasted or dropped. Long lists are read in the worker and drawn as far as they are seen. */
export function BatchPane({ playground: { store, worker }, model, search, set }: InputProps) {
  const state = useStore(store);
  const { rows, taken, undo, selected, prefixes } = state;
  const [trouble, setTrouble] = useState<string | null>(null);
  /** the place of the row that is to have the focus once it is drawn */
  const [aim, setAim] = useState<number | null>(null);
  /** rows have a field for a label, though none has one yet */
  const [labelling, setLabelling] = useState(false);
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const shown = useRowWindow(region, rows.length, rowHeight);
  const apart = search.roles === true || prefixes.query !== prefixes.document;
  const flags = useMemo(() => flagRows(rows, apart), [rows, apart]);
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const limit = model?.context_length ?? null;
  const long = useMemo(() => rows.filter((row) => limit !== null && tokensOf(row) > limit), [rows, limit]);
  const run = currentRun(state);
  const marked = selected === null ? undefined : run?.shown[selected]?.source;

  useEffect(() => {
    // what was chosen in a picture is brought into sight here
    const place = marked === undefined ? -1 : store.get().rows.findIndex(({ id }) => id === marked);
    if (place >= 0 && region) bringIntoSight(region, place);
  }, [marked, region, store]);
  useEffect(() => {
    if (aim === null || !region) return;
    bringIntoSight(region, aim);
    const field = region.querySelector<HTMLElement>(`[data-place="${aim}"]`);
    if (!field) return;
    field.focus();
    setAim(null);
  }, [aim, region, rows, shown]);
  const parsed = useMemo(() => {
    if (taken === null) return null;
    const ids = new Set(taken.ids);
    return rows.some(({ id }) => ids.has(id)) ? taken.found : null;
  }, [taken, rows]);
  const put = (next: readonly Row[], step = "", from?: Taken | null) => putRows(store, next, step, from);
  const read = async (input: Calls["parse"][0]) => {
    setTrouble(null);
    const found = await worker.ask("parse", input);
    if (found.unreadable > 0) setTrouble(`${formatCount(found.unreadable)} lines could not be read and were left out.`);
    return found;
  };
  /** @param at the row that a paste comes before; null: it takes the place of all */
  async function take(source: File | string, at: Row | null) {
    const made = takeRows(await read({ source }));
    const own = at === null ? [] : store.get().rows;
    const place = at === null ? 0 : own.findIndex(({ id }) => id === at.id);
    const filled = (part: readonly Row[]) => part.filter(({ text }) => text !== "");
    put([...filled(own.slice(0, place)), ...made.rows, ...filled(own.slice(place))], "", made.taken);
  }
  async function again(format: Format, columns?: Columns) {
    const found = await read({ source: null, format, columns });
    const before = store.get();
    if (before.taken === null) return;
    const next = readAgain(before.rows, before.taken, found);
    put(next.rows, "", next.taken);
  }
  function takeFile(chosen: File | undefined) {
    if (!chosen) return;
    if (chosen.size > mostBytes) setTrouble("A file may have at most 20 MB. Cut it into smaller ones.");
    else void take(chosen, null);
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    takeFile(event.dataTransfer.files[0]);
  }
  function split(size: number, overlap: number) {
    const over = new Set(long);
    put(
      rows.flatMap((row) =>
        over.has(row) ? splitText(row.text, size, overlap).map((text) => makeRow(text, row.group, row.role)) : [row],
      ),
    );
  }
  return (
    <div className="flex min-h-0 grow flex-col" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div className="flex min-h-8.5 flex-wrap items-center gap-x-2.5 border-b border-line pr-4 pl-8 text-12 text-fg-3 max-md:pl-4">
        <span>One text per row</span>
        <span className="grow" />
        {undo.length > 0 && <LinkButton onClick={() => undoRows(store)}>Undo</LinkButton>}
        {rows.length > 1 && (
          <>
            <LinkButton
              onClick={() => put(rows.map((row) => ({ ...row, role: row.role === "query" ? "document" : "query" })))}
            >
              Swap roles
            </LinkButton>
            {groups.length === 0 && !labelling && <LinkButton onClick={() => setLabelling(true)}>Labels</LinkButton>}
            <LinkButton onClick={() => put([makeRow()], "", null)}>Clear</LinkButton>
          </>
        )}
        <LinkButton onClick={() => file.current?.click()}>Choose a file</LinkButton>
        <input
          ref={file}
          type="file"
          hidden
          aria-label="A file of texts"
          accept=".txt,.csv,.tsv,.jsonl,.ndjson"
          onChange={(event) => {
            takeFile(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </div>
      {parsed && <ReadAs parsed={parsed} onRead={(format, columns) => void again(format, columns)} />}
      {trouble && (
        <Notice tone="warn" role="alert">
          {trouble}
        </Notice>
      )}
      {long.length > 0 && limit !== null && (
        <LongRows
          count={long.length}
          limit={limit}
          cut={search.cut === true}
          onSplit={split}
          onCut={(cut) => set({ cut: cut || undefined })}
        />
      )}
      <div ref={setRegion} className="min-h-40 grow basis-0 overflow-y-auto max-lg:max-h-100">
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
                    ? { short: "empty, left out" }
                    : longFlag(row.text, tokensOf(row), limit, search.cut === true)
              }
              labelled={groups.length > 0 || labelling}
              marked={row.id === marked}
              onChange={(next) => put(rows.with(rows.indexOf(row), next), `row ${row.id}`)}
              onLines={(text) => void take(text, row)}
              onAdd={() => {
                put(rows.toSpliced(rows.indexOf(row) + 1, 0, makeRow("", row.group)));
                setAim(rows.indexOf(row) + 1);
              }}
              onStep={(by) => setAim(Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + by)))}
              onRemove={() => {
                setAim(Math.max(0, Math.min(rows.length - 2, rows.indexOf(row))));
                put(rows.filter((other) => other !== row));
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
            put([...rows, makeRow("", rows.at(-1)?.group)]);
            setAim(rows.length);
          }}
          className="mb-2 ml-19 flex h-7 items-center gap-2 rounded-1 text-fg-3 hover:text-fg-1 max-md:ml-15"
        >
          Add a row <Kbd>↵</Kbd>
        </button>
      </div>
      <p role="status" className="border-t border-line px-8 py-2.5 text-12 text-fg-3 max-md:px-4">
        {formatCount(rows.length - flags.empty.size)} rows,{" "}
        {flags.repeats.size === 0 ? "no" : formatCount(flags.repeats.size)} duplicates
        {flags.repeats.size > 0 && " (each text is sent once)"}
        {flags.empty.size > 0 && rows.length > 1 && `, ${formatCount(flags.empty.size)} empty`}
        {limit !== null &&
          `, ${long.length === 0 ? "none" : formatCount(long.length)} over ${formatCount(limit)} tokens`}
      </p>
    </div>
  );
}

function bringIntoSight(region: HTMLElement, place: number): void {
  const top = place * rowHeight;
  const lowest = top + rowHeight - region.clientHeight;
  if (top < region.scrollTop || lowest > region.scrollTop)
    region.scrollTo({ top: top < region.scrollTop ? top : lowest });
}
