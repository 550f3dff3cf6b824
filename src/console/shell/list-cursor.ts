import { useRowCursor, type RowCursor } from "../table/row-cursor.ts";
import { useShortcut } from "./shortcuts.ts";

/** The row under the keyboard in the list of a page: J and K move it, Enter follows its link. */
export function useListCursor(ids: readonly string[]): RowCursor {
  const cursor = useRowCursor(ids);
  useShortcut("j", "Next row", () => cursor.move(1));
  useShortcut("k", "Previous row", () => cursor.move(-1));
  return cursor;
}
