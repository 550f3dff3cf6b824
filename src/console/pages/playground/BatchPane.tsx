import { useMemo, useRef, useState, type DragEvent } from "react";
import { useStore } from "../../api/store.ts";
import { counted, formatCount } from "../../format.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { BatchList } from "./BatchList.tsx";
import type { InputProps } from "./input-props.ts";
import { undoRows } from "./playground.ts";
import { tokensOf } from "./row-tokens.ts";
import { ReadAs } from "./ReadAs.tsx";
import { flagRows, groupsOf, makeRow } from "./rows.ts";
import { LongRows } from "./LongRows.tsx";
import { splitText } from "../../vectors/tokens.ts";
import { useBatchRows } from "./use-batch-rows.ts";

/** Many texts, a row each: typed, pasted or dropped. Long lists are read in the worker and drawn as far as they are seen. */
export function BatchPane({ playground, model, search, set }: InputProps) {
  const { store } = playground;
  const { rows, undo, prefixes } = useStore(store);
  const { parsed, trouble, put, take, readAs, takeFile } = useBatchRows(playground);
  /** rows have a field for a label, though none has one yet */
  const [labelling, setLabelling] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const apart = search.roles === true || prefixes.query !== prefixes.document;
  const flags = useMemo(() => flagRows(rows, apart), [rows, apart]);
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const limit = model?.context_length ?? null;
  const long = useMemo(() => rows.filter((row) => limit !== null && tokensOf(row) > limit), [rows, limit]);
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
      <div className="flex min-h-8.5 flex-wrap items-center gap-x-2.5 border-b border-line pr-(--pane-end) pl-8 text-12 text-fg-3 max-md:pl-4">
        <span className={rows.length > 1 ? "@max-[400px]/input:hidden" : undefined}>One text per row</span>
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
          aria-label="A file of texts or vectors"
          accept=".txt,.csv,.tsv,.json,.jsonl,.ndjson,.npy,.parquet"
          onChange={(event) => {
            takeFile(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </div>
      {parsed && <ReadAs parsed={parsed} onRead={readAs} />}
      {trouble && (
        <Notice tone="warn" role="alert">
          {trouble}
        </Notice>
      )}
      {long.length > 0 && limit !== null && (
        <LongRows
          count={long.length}
          first={{ number: rows.findIndex((row) => row === long[0]) + 1, text: long[0]?.text ?? "" }}
          limit={limit}
          cut={search.cut === true}
          onSplit={split}
          onCut={(cut) => set({ cut: cut || undefined })}
        />
      )}
      <BatchList
        store={store}
        flags={flags}
        groups={groups}
        labelled={groups.length > 0 || labelling}
        limit={limit}
        cut={search.cut === true}
        onPut={put}
        onLines={take}
      />
      <p role="status" className="border-t border-line px-8 py-2.5 text-12 text-fg-3 max-md:px-4">
        {counted(rows.length - flags.empty.size, "row")},{" "}
        {flags.repeats.size === 0 ? "no duplicates" : counted(flags.repeats.size, "duplicate")}
        {flags.repeats.size > 0 && " (each text is sent once)"}
        {flags.empty.size > 0 && rows.length > 1 && `, ${formatCount(flags.empty.size)} empty`}
        {limit !== null &&
          `, ${long.length === 0 ? "none" : formatCount(long.length)} over ${formatCount(limit)} tokens as estimated here`}
      </p>
    </div>
  );
}
