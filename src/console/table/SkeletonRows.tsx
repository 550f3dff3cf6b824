import { cx } from "../ui/cx.ts";
import { Skeleton, SkeletonTwo } from "../ui/Skeleton.tsx";
import type { Column } from "./column.ts";
import { nameCell } from "./HeadCell.tsx";

type SkeletonOf = NonNullable<Column<unknown>["skeleton"]>;

interface SkeletonRowsProps<Row, Context> {
  count: number;
  columns: readonly Column<Row, Context>[];
  /** whether a column of checkboxes, and one of actions, stand around */
  before: boolean;
  after: boolean;
  height: number;
}

/** Blocks in the boxes that the rows will have. */
export function SkeletonRows<Row, Context>({ count, columns, before, after, height }: SkeletonRowsProps<Row, Context>) {
  const cell = "border-b border-line px-3";
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
              <Block skeleton={column.skeleton ?? { width: 56 }} narrower={(index * 13) % 24} />
            </div>
          </td>
        );
      })}
      {after && <td className={cell}>{"\u00a0"}</td>}
    </tr>
  ));
}

/** Rows differ a little in width, as words do. */
function Block({ skeleton, narrower }: { skeleton: SkeletonOf; narrower: number }) {
  if ("cell" in skeleton) return skeleton.cell;
  const width = skeleton.width - narrower;
  return skeleton.two ? <SkeletonTwo width={width} /> : <Skeleton width={width} />;
}
