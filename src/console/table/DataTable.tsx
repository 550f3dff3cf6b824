import { useEffect, useRef, useState, type ReactNode } from "react";
import { Checkbox } from "../ui/Checkbox.tsx";
import { cx } from "../ui/cx.ts";
import { moreShadow } from "../ui/more-shadow.ts";
import { sortOf, type Column, type Sort } from "./column.ts";
import { DataRow } from "./DataRow.tsx";
import { actionsCell, HeadCell, pickCell } from "./HeadCell.tsx";
import { useFollowCursor, type RowCursor } from "./row-cursor.ts";
import { keepExisting, toggle, toggleAll, type Selection } from "./selection.ts";
import { SkeletonRows } from "./SkeletonRows.tsx";
import { touchHeight, useRowHeight, useRowWindow } from "./use-row-window.ts";
import { useWholeColumns } from "./whole-columns.ts";
import { scrollToRow } from "./window-of-rows.ts";

export interface DataTableProps<Row, Context> {
  /** names the table and the region that it scrolls in */
  label: string;
  columns: readonly Column<Row, Context>[];
  /** handed to every cell; keep it the same object while nothing in it changes */
  context: Context;
  rows: readonly Row[];
  /** how many there are, loaded or not; -1 if unknown */
  total: number;
  rowId: (row: Row) => string;
  /** what a checkbox is called after: "Select prod-search" */
  rowName: (row: Row) => string;
  /** `off` steps back, `new` was just made */
  rowTone?: (row: Row) => "off" | "new" | undefined;
  onOpen?: (row: Row) => void;
  sort?: Sort | undefined;
  onSort?: ((sort: string) => void) | undefined;
  cursor?: RowCursor | undefined;
  selection?: Selection | undefined;
  onSelect?: ((selection: Selection) => void) | undefined;
  /** at the right end of a row, such as a menu button */
  actions?: (row: Row) => ReactNode;
  /** the last loaded rows are in view: time to load more */
  onEnd?: (() => void) | undefined;
  /** draws this many skeleton rows under the real head */
  skeletons?: number | undefined;
  className?: string;
}

const headHeight = 30;
const pickWidth = 52;
const actionsWidth = 54;
const none: readonly never[] = [];

/**
 * A semantic table of rows of one height, of which only those in view are in the DOM. It scrolls in its own region, head
 * and name column stay. The region takes the height that its parent gives it.
 */
export function DataTable<Row, Context>(props: DataTableProps<Row, Context>) {
  const { label, columns, context, rows: read, total, rowId, rowName, rowTone, onOpen, cursor, actions } = props;
  const { selection, onSelect, onEnd, skeletons = 0, className } = props;
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  const rowHeight = useRowHeight();
  const touch = rowHeight === touchHeight;
  // a visible skeleton stays for its minimum time, and then nothing else is shown next to it
  const rows = skeletons > 0 ? none : read;
  useWholeColumns(region, columns);
  const { first, end } = useRowWindow(region, rows.length, rowHeight);
  const ids = rows.map(rowId);
  const latest = useRef({ ids, selection });
  useEffect(() => {
    latest.current = { ids, selection };
  });
  useFollowCursor(region, cursor, () => {
    const index = ids.indexOf(cursor?.current ?? "");
    if (!region || index < 0) return;
    const { scrollTop: scrolled, clientHeight: viewport } = region;
    const top = scrollToRow(index, { rowHeight, scrolled, viewport, head: headHeight });
    if (top !== null) region.scrollTo({ top });
  });
  useEffect(() => {
    if (end > 0 && end >= rows.length - 20) onEnd?.();
  }, [end, rows.length, onEnd]);

  const [select] = useState(() => (id: string, range: boolean, change: DataTableProps<Row, Context>["onSelect"]) => {
    const now = latest.current;
    if (now.selection) change?.(toggle(keepExisting(now.selection, now.ids), now.ids, id, range));
  });
  // its column is not there on touch: a spacer over one column too many would take half of the first one's width
  const picks = selection !== undefined && !touch;
  const least =
    columns.reduce((sum, { width = 0 }) => sum + width, 0) + (picks ? pickWidth : 0) + (actions ? actionsWidth : 0);
  const span = columns.length + (picks ? 1 : 0) + (actions ? 1 : 0);
  return (
    <div
      ref={setRegion}
      role="region"
      aria-label={label}
      aria-busy={skeletons > 0 || undefined}
      // a region that scrolls must be reachable by the keyboard
      tabIndex={0}
      // positioned, so that what is only read out scrolls with its row instead of widening the page
      className={cx("relative min-h-0 overflow-auto scroll-pt-8 -outline-offset-2", moreShadow, className)}
    >
      <table
        aria-label={label}
        aria-rowcount={skeletons > 0 ? undefined : total < 0 ? -1 : total + 1}
        data-density={rowHeight === 32 ? "compact" : undefined}
        // the columns keep their widths whatever rows are in view; the first one takes what is left over
        style={{ minWidth: least }}
        className="group/table w-full max-w-380 table-fixed border-separate border-spacing-0"
      >
        <colgroup>
          {selection && <col className="max-md:hidden" style={{ width: pickWidth }} />}
          {columns.map(({ id, width }, index) => (
            <col key={id} style={index === 0 ? undefined : { width }} />
          ))}
          {actions && <col style={{ width: actionsWidth }} />}
        </colgroup>
        <Head {...props} ids={ids} />
        <tbody>
          {skeletons > 0 && (
            <SkeletonRows
              count={skeletons}
              columns={columns}
              before={Boolean(selection)}
              after={Boolean(actions)}
              height={rowHeight}
            />
          )}
          <Spacer height={first * rowHeight} span={span} />
          {rows.slice(first, end).map((row, index) => {
            const id = rowId(row);
            return (
              <DataRow
                key={id}
                id={id}
                name={rowName(row)}
                row={row}
                index={first + index + 2}
                columns={columns}
                context={context}
                height={rowHeight}
                tone={rowTone?.(row)}
                current={cursor?.current === id}
                selected={selection?.ids.has(id)}
                select={select}
                onSelect={onSelect}
                onOpen={onOpen}
                actions={actions}
              />
            );
          })}
          <Spacer height={(rows.length - end) * rowHeight} span={span} />
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps<Row, Context> extends Pick<
  DataTableProps<Row, Context>,
  "columns" | "context" | "sort" | "onSort" | "selection" | "onSelect" | "actions"
> {
  /** of the rows that are loaded */
  ids: readonly string[];
}

function Head<Row, Context>(props: HeadProps<Row, Context>) {
  const { columns, context, sort, onSort, selection, onSelect, actions, ids } = props;
  const all = ids.length > 0 && ids.every((id) => selection?.ids.has(id));
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection && (
          <th scope="col" className={cx(pickCell, "top-0 z-3 border-b border-line-2")} style={{ height: headHeight }}>
            <Checkbox
              aria-label={all ? "Select none" : "Select all loaded rows"}
              checked={all}
              indeterminate={!all && selection.ids.size > 0}
              onChange={() => onSelect?.(toggleAll(selection, ids))}
            />
          </th>
        )}
        {columns.map((column, index) => (
          <HeadCell
            key={column.id}
            column={column}
            by={sortOf(column, context)}
            text={column.headFor?.(context) ?? column.head}
            sort={sort}
            onSort={onSort}
            pinned={index === 0}
            edge={index === 0 && !selection}
          />
        ))}
        {actions && (
          <th scope="col" className={cx(actionsCell, "top-0 z-3 border-line-2")}>
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

function Spacer({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={span} style={{ height, padding: 0 }}>
        {"\u00a0"}
      </td>
    </tr>
  );
}
