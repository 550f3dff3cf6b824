/** Rows are rendered in steps of this many, so that a slow scroll does not render on every pixel. */
const step = 4;

export interface RowWindow {
  /** the first row in the DOM */
  first: number;
  /** one past the last row in the DOM */
  end: number;
}

/**
 * Which rows of a table of fixed row height are in the DOM: those in view and a step or two on each side.
 * Compact rows (32 px) on a screen 1,440 px high come to at most 60.
 */
export function rowWindow(count: number, rowHeight: number, scrolled: number, viewport: number): RowWindow {
  const top = Math.max(0, Math.floor(scrolled / rowHeight));
  const visible = Math.max(1, Math.ceil(viewport / rowHeight) + 1);
  const first = Math.max(0, Math.floor(top / step) * step - step);
  const end = Math.min(count, Math.ceil((top + visible) / step) * step + step);
  return { first: Math.min(first, Math.max(0, count - 1)), end: Math.max(end, 0) };
}

interface Scrolled {
  rowHeight: number;
  scrolled: number;
  viewport: number;
  /** the sticky head's height */
  head: number;
}

/** The scroll position at which a row is wholly in view, or null where it already is. */
export function scrollToRow(row: number, { rowHeight, scrolled, viewport, head }: Scrolled): number | null {
  const top = row * rowHeight;
  if (top < scrolled) return top;
  if (top + rowHeight > scrolled + viewport - head) return top + rowHeight - viewport + head;
  return null;
}
