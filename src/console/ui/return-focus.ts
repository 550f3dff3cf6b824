import { useRef } from "react";

/**
 * Where the focus goes when a modal dialog closes. Radix gives it back to the dialog's trigger only, and ours are opened by
 * addresses and by state: what had it is remembered here, when the dialog is about to take it.
 * @param finalFocus names another element; it is asked on closing, and may have none
 */
export function useReturnFocus(finalFocus?: () => HTMLElement | null | undefined): {
  remember: () => void;
  giveBack: (event: Event) => void;
} {
  const before = useRef<Element | null>(null);
  return {
    remember: () => {
      before.current = document.activeElement;
    },
    giveBack: (event) => {
      event.preventDefault();
      const named = finalFocus?.();
      if (named) return named.focus();
      // a page that was opened from the dialog may have taken it already
      if (document.activeElement !== document.body) return;
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
