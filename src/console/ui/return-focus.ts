import { useRef } from "react";
import { focusNext, focusWhileThere, otherRows } from "./next-focus.ts";

/**
 * Where the focus goes when a modal dialog closes. Radix gives it back to the dialog's trigger only, and ours are opened by
 * addresses and by state: what had it is remembered here, when the dialog is about to take it. Where the dialog deleted
 * the row that it was in, the next row gets it.
 * @param finalFocus names another element; it is asked on closing, and may have none
 */
export function useReturnFocus(finalFocus?: () => HTMLElement | null | undefined): {
  remember: () => void;
  giveBack: (event: Event) => void;
} {
  const before = useRef<{ element: Element | null; rows: readonly Element[] }>({ element: null, rows: [] });
  return {
    remember: () => {
      const element = document.activeElement;
      before.current = { element, rows: otherRows(element) };
    },
    giveBack: (event) => {
      event.preventDefault();
      const named = finalFocus?.();
      if (named) return focusWhileThere(named);
      // a page that was opened from the dialog may have taken it already
      if (document.activeElement !== document.body) return;
      const { element, rows } = before.current;
      if (!(element instanceof HTMLElement) || element === document.body) return;
      if (element.isConnected) focusWhileThere(element);
      else focusNext(rows);
    },
  };
}
