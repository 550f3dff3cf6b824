import { useMemo, useState } from "react";
import { useStore } from "../../api/store.ts";
import { counted } from "../../format.ts";
import type { Columns, Format } from "../../vectors/parse-rows.ts";
import type { Calls } from "../../vectors/protocol.ts";
import { putRows } from "./playground.ts";
import { pasteRows, readAgain, type PastedRows } from "./pasted-rows.ts";
import type { Row } from "./rows.ts";
import type { Playground } from "./use-playground.ts";

const mostBytes = 20 * 1_048_576;

/** The rows of a batch as they are typed, pasted, read from a file, and read again in another way. */
export function useBatchRows({ store, worker, openVectors }: Playground) {
  const { rows, taken } = useStore(store);
  const [trouble, setTrouble] = useState<string | null>(null);
  const parsed = useMemo(() => {
    if (taken === null) return null;
    const ids = new Set(taken.ids);
    return rows.some(({ id }) => ids.has(id)) ? taken.found : null;
  }, [taken, rows]);
  const put = (next: readonly Row[], step = "", from?: PastedRows | null) => putRows(store, next, step, from);
  const read = async (input: Calls["parse"][0]) => {
    setTrouble(null);
    const found = await worker.ask("parse", input);
    if (found.unreadable > 0) setTrouble(`Skipped ${counted(found.unreadable, "line")} that could not be read.`);
    return found;
  };
  /** @param at the row that a paste comes before; null: it takes the place of all */
  async function take(source: File | string, at: Row | null) {
    const found = await read({ source });
    if (found.rows.length === 0)
      return setTrouble(typeof source === "string" ? "The pasted text is empty." : `${source.name} contains no text.`);
    const made = pasteRows(found);
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
    const open = async () => {
      setTrouble(null);
      if (await openVectors(chosen)) return;
      if (chosen.size > mostBytes) setTrouble("A file of texts can be at most 20 MB. Split it into smaller ones.");
      else await take(chosen, null);
    };
    void open().catch((error: unknown) => setTrouble(error instanceof Error ? error.message : String(error)));
  }
  return {
    /** as what was pasted was read, while one of its rows is left */
    parsed,
    /** what could not be read, in a sentence */
    trouble,
    put,
    take: (source: File | string, at: Row | null) => void take(source, at),
    readAs: (format: Format, columns?: Columns) => void again(format, columns),
    takeFile,
  };
}
