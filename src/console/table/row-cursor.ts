import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isTextField } from "../ui/text-field.ts";

export interface RowCursor {
  current: string | null;
  /** how often a key moved it: the focus follows that, and no render of the rows */
  moves: number;
  set: (id: string | null) => void;
  /** +1 is the next row, -1 the one before; from nowhere it begins at the top */
  move: (by: number) => void;
}

interface Cursor {
  current: string | null;
  moves: number;
}

/** The row under the keyboard. A row that is gone is no longer current. */
export function useRowCursor(ids: readonly string[]): RowCursor {
  const [{ current, moves }, put] = useState<Cursor>({ current: null, moves: 0 });
  const at = current === null ? -1 : ids.indexOf(current);
  return {
    current: at < 0 ? null : current,
    moves,
    set: (id) => put((before) => ({ ...before, current: id })),
    move: (by) => put((before) => ({ current: nextRow(ids, at, by), moves: before.moves + 1 })),
  };
}

function nextRow(ids: readonly string[], at: number, by: number): string | null {
  return ids[Math.min(ids.length - 1, Math.max(0, at < 0 ? 0 : at + by))] ?? null;
}

/**
 * The focus follows the row under the keyboard, and only when a key has moved there: rows that are filtered, sorted or
 * read again while somebody types must not take the focus from the field.
 * @param reveal brings the row into view where it may not be rendered yet
 */
export function useFollowCursor(region: HTMLElement | null, cursor: RowCursor | undefined, reveal?: () => void): void {
  const moves = cursor?.moves ?? 0;
  const followed = useRef(moves);
  const follow = useEffectEvent(() => {
    if (!region || moves === followed.current) return undefined;
    followed.current = moves;
    if (isTextField(document.activeElement)) return undefined;
    reveal?.();
    // at once where it can be, so that an Enter right behind the key opens this row; a far one is yet to be rendered
    const focus = { preventScroll: reveal !== undefined };
    if (focusCurrentRow(region, focus)) return undefined;
    const frame = requestAnimationFrame(() => focusCurrentRow(region, focus));
    return () => cancelAnimationFrame(frame);
  });
  // not of the region: a list that is mounted again was not moved in
  useEffect(() => follow(), [moves]);
}

/** False where the row, or a link or button in it, is not there. */
function focusCurrentRow(region: HTMLElement, options: FocusOptions): boolean {
  const row = region.querySelector("[data-current]");
  const target = row?.querySelector<HTMLElement>("a, button");
  if (!target || isTextField(document.activeElement)) return false;
  target.focus(options);
  return true;
}
