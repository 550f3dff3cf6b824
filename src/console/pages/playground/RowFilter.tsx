import { useState } from "react";
import { useStore } from "../../api/store.ts";
import { tip } from "../../ui/Tooltip.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { columnsOf, matching } from "./columns.ts";
import { change } from "./playground.ts";
import type { ViewProps } from "./view-props.ts";

/** Picks the rows that have some words, or some value in a column: in the list, on the map, and for an export. */
export function RowFilter({ playground: { store }, run }: Pick<ViewProps, "playground" | "run">) {
  const { picked } = useStore(store);
  const [last, setLast] = useState<{ text: string; rows: readonly number[] | null }>({ text: "", rows: null });
  const [column = "label"] = columnsOf(run.shown);
  function filter(text: string) {
    const rows = text.trim() === "" ? null : matching(run.shown, text);
    setLast({ text, rows });
    change(store, { picked: rows });
  }
  return (
    <TextInput
      size="sm"
      type="search"
      aria-label="Filter rows"
      placeholder="Filter rows"
      className="w-36 shrink-0"
      {...tip(`Words of a row, or ${column}:value`)}
      // what was picked or cleared elsewhere is not of these words
      value={picked === last.rows ? last.text : ""}
      onChange={(event) => filter(event.target.value)}
    />
  );
}
