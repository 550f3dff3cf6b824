import { Fragment, useState, type CSSProperties, type MouseEvent, type ReactNode } from "react";
import { usePreference } from "../preferences.ts";
import { cx } from "../ui/cx.ts";
import { moreShadow } from "../ui/more-shadow.ts";
import { type Column, type Sort, sortOf } from "./column.ts";
import { useFollowCursor, type RowCursor } from "./row-cursor.ts";
import { SkeletonBlock } from "./SkeletonRows.tsx";
import { useWholeColumns } from "./whole-columns.ts";

export interface TableProps<Row, Context> {
  /** names the table and the region that it scrolls in */
  label: string;
  columns: readonly Column<Row, Context>[];
  /** handed to every cell */
  context: Context;
  rows: readonly Row[];
  rowId: (row: Row) => string;
  rowClass?: (row: Row) => string | false | undefined;
  /** the row under the keyboard */
  cursor?: RowCursor;
  /** what a click on a row does, beyond what its controls do; a control in the row must do it too, for the keyboard */
  onRow?: (row: Row) => void;
  /** at the right end of a row: its menu */
  actions?: (row: Row, context: Context) => ReactNode;
  /** rows that belong to a row and follow it, each one cell over the whole table */
  below?: (row: Row, context: Context, span: number) => ReactNode;
  /** by which column the rows are in order, and what a press on a head does */
  sort?: Sort | undefined;
  onSort?: ((sort: string) => void) | undefined;
  className?: string;
}

// the first and the last cell reach to the walls of the page
const edges = "first:pl-8 last:pr-8 max-md:first:pl-4 max-md:last:pr-4";
const head = cx("h-[30px] border-b border-line-2 px-3 text-12 font-normal whitespace-nowrap text-fg-3", edges);
const cell = cx("h-10 border-b border-line px-3 py-1 wrap-anywhere max-md:h-12", edges);
const figures = "text-right whitespace-nowrap tabular-nums";
// on a phone the first column stays in sight while the others scroll under it
const fixed =
  "max-md:sticky max-md:left-0 max-md:z-1 max-md:w-[174px] max-md:border-r max-md:border-line-2 max-md:bg-bg-1";

// menus stay in sight at the right end, but for phones on which they would leave the columns no room to scroll in
const menus =
  "sticky right-0 z-1 bg-bg-1 in-data-current:bg-bg-2 in-data-more:shadow-[inset_1px_0_0_var(--line-2)] max-[380px]:static max-[380px]:shadow-none!";

/**
 * A table of all its rows, ruled from wall to wall, which scrolls sideways where its columns need more than there is;
 * DataTable is for lists that may be long. Columns keep their widths whatever is in them and share what is left over.
 */
export function Table<Row, Context>(props: TableProps<Row, Context>) {
  const { label, columns, context, rows, rowId, rowClass, cursor, onRow, actions, below, sort, onSort, className } =
    props;
  const span = columns.length + (actions ? 1 : 0);
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  useWholeColumns(region, columns);
  useFollowCursor(region, cursor);
  return (
    <div
      ref={setRegion}
      className={cx("@container relative overflow-x-auto", moreShadow)}
      role="region"
      aria-label={`${label}, scrolls sideways`}
      // a region that scrolls must be reachable by the keyboard
      tabIndex={0}
    >
      <table className={cx(table, className)} aria-label={label}>
        <Head columns={columns} context={context} sort={sort} onSort={onSort} actions={actions !== undefined} />
        <tbody>
          {rows.map((row) => (
            <Fragment key={rowId(row)}>
              <tr
                data-current={cursor?.current === rowId(row) ? "" : undefined}
                className={cx("hover:bg-bg-2 data-current:bg-bg-2", bar, onRow && "cursor-pointer", rowClass?.(row))}
                onClick={onRow && ((event) => isOnPlainPart(event) && onRow(row))}
              >
                {columns.map((column) => {
                  const Cell = column.fixed ? "th" : "td";
                  return (
                    <Cell key={column.id} scope={column.fixed ? "row" : undefined} className={cellClass(column)}>
                      {column.cell(row, context)}
                    </Cell>
                  );
                })}
                {actions && (
                  <td className={cx(cell, menus, "text-right [tr:hover>&]:bg-bg-2")}>{actions(row, context)}</td>
                )}
              </tr>
              {below?.(row, context, span)}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Not on a control of the row, and not at the end of marking a text. */
function isOnPlainPart({ target, currentTarget: row }: MouseEvent<HTMLElement>): boolean {
  const control = target instanceof Element ? target.closest("a, button, input, select, label, [tabindex]") : null;
  const isOnControl = control !== null && row.contains(control);
  return !isOnControl && (getSelection()?.isCollapsed ?? true);
}

const table = "w-full table-fixed text-left text-13";
/** The 3 px bar of the row under the keyboard. */
const bar = "data-current:shadow-[inset_3px_0_0_var(--accent)]";

interface TableSkeletonProps<Row, Context> extends Pick<TableProps<Row, Context>, "columns" | "className"> {
  rows: number;
  /** whether the rows will have menus */
  actions?: boolean;
}

/** The table while it is read: its head, and blocks in the boxes that the rows will have. */
export function TableSkeleton<Row, Context>(props: TableSkeletonProps<Row, Context>) {
  const { columns, rows, actions = false, className } = props;
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  useWholeColumns(region, columns);
  return (
    <div ref={setRegion} className="@container overflow-hidden">
      <table className={cx(table, className)}>
        <Head columns={columns} actions={actions} />
        <tbody>
          {Array.from({ length: rows }, (_, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.id} className={cellClass(column)}>
                  <div className={cx("grid", column.figures && "justify-items-end")}>
                    <SkeletonBlock of={column} row={index} />
                  </div>
                </td>
              ))}
              {actions && <td className={cell} />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps<Row, Context> {
  columns: readonly Column<Row, Context>[];
  /** absent while the rows are read */
  context?: Context;
  sort?: Sort | undefined;
  onSort?: ((sort: string) => void) | undefined;
  actions: boolean;
}

function Head<Row, Context>({ columns, context, sort, onSort, actions }: HeadProps<Row, Context>) {
  const zone = usePreference("zone");
  const by = (column: Column<Row, Context>) => (context === undefined ? undefined : sortOf(column, context));
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            aria-sort={ariaSort(by(column), sort, onSort)}
            // a class may give it another width where there is less room
            style={column.width === undefined ? undefined : ({ "--width": `${column.width}px` } as CSSProperties)}
            className={cx(
              head,
              column.width !== undefined && "w-(--width)",
              column.figures && figures,
              column.fixed && fixed,
              column.className,
              "font-sans",
            )}
          >
            <HeadText by={by(column)} sort={sort} onSort={onSort}>
              {context === undefined ? column.head : (column.headFor?.(context) ?? column.head)}
              {column.zoned && `, ${zone === "utc" ? "UTC" : "local time"}`}
            </HeadText>
          </th>
        ))}
        {actions && (
          <th scope="col" className={cx(head, menus, "w-18 max-md:w-14")}>
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

function ariaSort(by: string | undefined, sort: Sort | undefined, onSort: HeadTextProps["onSort"]) {
  if (by === undefined || onSort === undefined) return undefined;
  if (sort?.column !== by) return "none";
  return sort.order === "asc" ? "ascending" : "descending";
}

interface HeadTextProps {
  by: string | undefined;
  sort: Sort | undefined;
  onSort: ((sort: string) => void) | undefined;
  children: ReactNode;
}

/** A column's head: a button that sorts, where the column can be sorted. */
function HeadText({ by, sort, onSort, children }: HeadTextProps) {
  if (by === undefined || onSort === undefined) return children;
  const sorted = sort?.column === by;
  return (
    <button
      type="button"
      onClick={() => onSort(by)}
      className={cx("h-7 rounded-1 hover:text-fg-1", sorted && "text-fg-1")}
    >
      {children}
      {sorted && <span aria-hidden="true"> {sort.order === "asc" ? "↑" : "↓"}</span>}
    </button>
  );
}

function cellClass<Row, Context>(column: Column<Row, Context>): string {
  return cx(cell, column.figures && figures, column.fixed && cx(fixed, "font-normal"), column.className);
}
