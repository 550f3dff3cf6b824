import { useRef } from "react";

/**
 * Where the focus goes when a modal dialog closes. Radix gives it back to the dialog's trigger only, and ours are opened by
 * addresses and by state: what had it is remembered here, when the dialog is about to take it. Where the dialog deleted
 * the row that it was in, the next row gets it; where nothing had it, the page's heading.
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
      const had = element instanceof HTMLElement && element !== document.body;
      if (had && element.isConnected) focusWhileThere(element);
      // nothing had it where the dialog was opened by its address, such as after a reload
      else focusNext(rows);
    },
  };
}

const patienceMs = 60_000;

/** The other rows of the list that `element` is in: those after it from the nearest on, then those before it. */
export function otherRows(element: Element | null): readonly Element[] {
  const row = element?.closest("tr, li");
  if (!row?.parentElement) return [];
  const rows = [...row.parentElement.children];
  const at = rows.indexOf(row);
  return [...rows.slice(at + 1), ...rows.slice(0, at).toReversed()];
}

/** For an element that is gone, and its row with it: the next row's menu, else that of the row before, else the heading. */
export function focusNext(rows: readonly Element[]): void {
  const next = rows
    .filter((row) => row.isConnected)
    .map((row) => row.querySelector<HTMLElement>("[aria-haspopup=menu]") ?? row.querySelector<HTMLElement>("a, button"))
    .find((control) => control !== null);
  (next ?? document.querySelector<HTMLElement>("main h1"))?.focus();
}

/**
 * Focuses `element`, which may be of a row that was just deleted and is shown until its list has been read again. When it
 * goes the browser would leave the focus nowhere.
 */
function focusWhileThere(element: HTMLElement): void {
  const rows = otherRows(element);
  element.focus();
  const observer = new MutationObserver(() => {
    if (document.activeElement === element) return;
    observer.disconnect();
    if (!element.isConnected && document.activeElement === document.body) focusNext(rows);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), patienceMs);
}
