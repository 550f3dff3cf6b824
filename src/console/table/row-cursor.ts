import { useState } from "react";

export interface RowCursor {
  current: string | null;
  set: (id: string | null) => void;
  /** +1 is the next row, -1 the one before; from nowhere it begins at the top */
  move: (by: number) => void;
}

/** The row under the keyboard. A row that is gone is no longer current. */
export function useRowCursor(ids: readonly string[]): RowCursor {
  const [current, set] = useState<string | null>(null);
  const at = current === null ? -1 : ids.indexOf(current);
  return {
    current: at < 0 ? null : current,
    set,
    move: (by) => set(ids[Math.min(ids.length - 1, Math.max(0, at < 0 ? 0 : at + by))] ?? null),
  };
}

/** As the ref of the current row's link: the focus follows the row under the keyboard. */
export function focusRow(link: HTMLElement | null): void {
  link?.focus();
}
