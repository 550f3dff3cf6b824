import { memo, type MouseEvent, type ReactNode } from "react";
import { Checkbox } from "../ui/Checkbox.tsx";
import { cx } from "../ui/cx.ts";
import type { Column } from "./column.ts";
import { actionsCell, nameCell, pickCell } from "./HeadCell.tsx";
import type { Selection } from "./selection.ts";

interface DataRowProps<Row, Context> {
  id: string;
  name: string;
  row: Row;
  /** counted from 1, the head being 1 */
  index: number;
  columns: readonly Column<Row, Context>[];
  context: Context;
  height: number;
  tone: "off" | "new" | undefined;
  current: boolean;
  /** undefined where rows can't be selected */
  selected: boolean | undefined;
  select: (id: string, range: boolean, onSelect: ((selection: Selection) => void) | undefined) => void;
  onSelect: ((selection: Selection) => void) | undefined;
  onOpen: ((row: Row) => void) | undefined;
  actions: ((row: Row) => ReactNode) | undefined;
}

// what is too long for its column ends in it; the margin leaves room for the ring of what has the focus
const cell = "border-b border-line py-0 overflow-clip [overflow-clip-margin:4px] whitespace-nowrap";

function Plain<Row, Context>(props: DataRowProps<Row, Context>) {
  const { id, name, row, index, columns, context, height, tone, current, selected, select, onSelect, onOpen, actions } =
    props;
  const paper = tone === "new" ? "bg-brass-bg" : current || selected ? "bg-bg-2" : "";
  return (
    <tr
      aria-rowindex={index}
      aria-selected={selected}
      data-current={current ? "" : undefined}
      className={cx("group/row", tone === "off" && "text-fg-3")}
      onClick={onOpen && ((event) => opensRow(event) && onOpen(row))}
    >
      {selected !== undefined && (
        <td className={cx(cell, pickCell, "z-1", paper, "group-hover/row:bg-bg-2", current && bar)} style={{ height }}>
          <Checkbox
            aria-label={`Select ${name}`}
            checked={selected}
            onChange={(event) => select(id, (event.nativeEvent as unknown as MouseEvent).shiftKey, onSelect)}
          />
        </td>
      )}
      {columns.map((column, position) => (
        <td
          key={column.id}
          style={{ height }}
          className={cx(
            cell,
            position === 0 ? cx(nameCell(selected === undefined), "z-1") : "px-2.5",
            position === 0 && selected === undefined && current && bar,
            column.figures && "text-right tabular-nums",
            paper,
            "group-hover/row:bg-bg-2",
            column.className,
          )}
        >
          {column.cell(row, context)}
        </td>
      ))}
      {actions && (
        <td className={cx("z-1 border-line pl-1", actionsCell, paper, "group-hover/row:bg-bg-2")}>{actions(row)}</td>
      )}
    </tr>
  );
}

/** The 3 px bar of the row under the keyboard. */
const bar = "shadow-[inset_3px_0_0_var(--accent)]";

/** One row; rendered again only when something of its own changes, so that a keystroke over 10,000 rows costs nothing here. */
export const DataRow = memo(Plain) as typeof Plain;

/** A plain click on a row opens it, except on what acts by itself and at the end of a text selection. */
function opensRow(event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return false;
  if (event.target instanceof Element && event.target.closest("a, button, input, label, summary, [role=menu]"))
    return false;
  return !getSelection()?.toString();
}
