import { useMemo, useState } from "react";

/** A row and a column. */
export type Cell = readonly [number, number];

const inside = ([row, column]: Cell, most: number): Cell => [
  Math.max(0, Math.min(most, row)),
  Math.max(0, Math.min(most, column)),
];

/**
 * The cell that arrows move, and which part of the matrix is shown.
 *
 * @param framed the row to keep in sight whenever it becomes another one; -1: none
 */
export function useMatrixView(size: number, framed: number) {
  const [cell, setCell] = useState<Cell>([0, 0]);
  const [view, setView] = useState({ from: [0, 0] as Cell, span: size });
  const [followed, setFollowed] = useState({ framed: -1, size });
  const span = Math.min(view.span, size);
  const from = useMemo(() => inside(view.from, size - span), [view, size, span]);
  const [i, j] = [Math.min(cell[0], size - 1), Math.min(cell[1], size - 1)];
  const showAround = ([row, column]: Cell, next: number) =>
    setView({ span: next, from: [Math.round(row - next / 2), Math.round(column - next / 2)] });
  if (framed !== followed.framed || size !== followed.size) {
    setFollowed({ framed, size });
    if (framed !== -1 && (framed < from[0] || framed >= from[0] + span)) showAround([framed, framed], span);
  }
  return {
    cell: [i, j] as const,
    from,
    span,
    point: setCell,
    /** moves the cell, and the picture with it where it is out of what is shown */
    go(to: Cell) {
      const next = inside(to, size - 1);
      setCell(next);
      const follow = (at: number, start: number) => Math.min(at, Math.max(start, at - span + 1));
      const shift: Cell = [follow(next[0], from[0]), follow(next[1], from[1])];
      if (shift[0] !== from[0] || shift[1] !== from[1]) setView({ span, from: shift });
    },
    enlarge: (by: number) => showAround([i, j], Math.max(Math.min(8, size), Math.min(size, Math.round(span / by)))),
    showAll: () => setView({ span: size, from: [0, 0] }),
  };
}
