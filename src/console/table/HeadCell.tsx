import { cx } from "../ui/cx.ts";
import type { Column, Sort } from "./column.ts";

/** The column of checkboxes; none on a phone, where a row is all of 48 px. */
export const pickCell = "sticky left-0 pl-6.5 bg-bg-1 text-left max-md:hidden";

/** The column of menus, which stays in sight at the right end; not on a phone, where the names leave no room for it. */
export const actionsCell =
  "sticky right-0 border-b bg-bg-1 in-data-more:shadow-[inset_1px_0_0_var(--line-2)] max-md:static max-md:shadow-none!";

/** The column of names, which stays in view; `edge` if there are no checkboxes before it. */
export function nameCell(edge: boolean): string {
  return cx(
    "sticky bg-bg-1 pr-2.5 max-md:left-0 max-md:pl-4 max-lg:shadow-[inset_-1px_0_0_var(--line-2)]",
    edge ? "left-0 pl-8" : "left-13 pl-2.5",
  );
}

interface HeadCellProps<Row, Context> {
  column: Column<Row, Context>;
  text: string;
  /** the value passed to `onSort`; undefined if the column can't be sorted by */
  by: string | undefined;
  sort: Sort | undefined;
  onSort: ((sort: string) => void) | undefined;
  pinned: boolean;
  edge: boolean;
}

/** A column's head: a button that sorts, where the column can be sorted. */
export function HeadCell<Row, Context>({ column, text, by, sort, onSort, pinned, edge }: HeadCellProps<Row, Context>) {
  const sorted = sort !== undefined && by !== undefined && sort.column === by;
  const order = sorted ? (sort.order === "asc" ? "ascending" : "descending") : "none";
  return (
    <th
      scope="col"
      data-picture={column.picture}
      aria-sort={by !== undefined && onSort ? order : undefined}
      className={cx(
        "sticky top-0 h-[30px] border-b border-line-2 bg-bg-1 px-2.5 text-12 font-normal whitespace-nowrap",
        column.figures ? "text-right" : "text-left",
        sorted ? "text-fg-1" : "text-fg-3",
        pinned ? cx(nameCell(edge), "z-3") : "z-2",
        column.className,
        "font-sans",
      )}
    >
      {by !== undefined && onSort ? (
        <button type="button" onClick={() => onSort(by)} className="h-7 rounded-1 hover:text-fg-1">
          {text}
          {sorted && <span aria-hidden="true"> {sort.order === "asc" ? "↑" : "↓"}</span>}
        </button>
      ) : (
        text
      )}
    </th>
  );
}
