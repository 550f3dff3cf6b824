import type { MouseEvent } from "react";

/** A plain click on a row opens it, except on what acts by itself and at the end of a text selection. */
export function opensRow(event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return false;
  if (event.target instanceof Element && event.target.closest("a, button, input, label, summary, [role=menu]"))
    return false;
  return !getSelection()?.toString();
}
