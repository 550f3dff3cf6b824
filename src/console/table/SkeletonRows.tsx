import { cx } from "../ui/cx.ts";
import { Skeleton, SkeletonTwo } from "../ui/Skeleton.tsx";
import type { Column } from "./column.ts";
import { nameCell } from "./HeadCell.tsx";

interface SkeletonRowsProps<Row, Context> {
  count: number;
  columns: readonly Column<Row, Context>[];
  /** whether there are columns of checkboxes and of actions */
  before: boolean;
  after: boolean;
  height: number;
}

/** Blocks in the boxes that the rows will have. */
export function SkeletonRows<Row, Context>({ count, columns, before, after, height }: SkeletonRowsProps<Row, Context>) {
  const cell = "border-b border-line px-2.5 overflow-clip";
  return Array.from({ length: count }, (_, index) => (
    <tr key={index} aria-hidden="true">
      {before && (
        <td className={cx(cell, "max-md:hidden")} style={{ height }}>
          {"\u00a0"}
        </td>
      )}
      {columns.map((column, position) => {
        return (
          <td
            key={column.id}
            className={cx(cell, position === 0 && nameCell(!before), column.className)}
            style={{ height }}
          >
            <div className={cx("grid", column.figures && "justify-items-end")}>
              <SkeletonBlock of={column} row={index} />
            </div>
          </td>
        );
      })}
      {after && <td className={cell}>{"\u00a0"}</td>}
    </tr>
  ));
}

/** A cell's placeholder. Widths vary a little from row to row, as words do. */
export function SkeletonBlock({ of, row }: { of: Pick<Column<never>, "skeleton">; row: number }) {
  const skeleton = of.skeleton ?? { width: 56 };
  if ("cell" in skeleton) return skeleton.cell;
  const width = skeleton.width - ((row * 13) % 24);
  return skeleton.two ? <SkeletonTwo width={width} /> : <Skeleton width={width} />;
}
