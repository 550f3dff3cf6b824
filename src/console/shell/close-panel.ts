import { useNavigate, useRouter, type AnyRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/** The entry of the tab's history that an entry was reached from: the nearest before it with another path. */
interface Opener {
  pathname: string;
  index: number;
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    opener?: Opener;
  }
}

/** The entries that were seen since the page was loaded, by their place in the tab's history. */
const entries = new Map<number, { pathname: string; opener: Opener | undefined }>();

/**
 * Remembers where this tab has been, so that closing a panel can go back instead of forward. Each entry's opener is in
 * the browser's history too, which a reload leaves as it is.
 */
export function keepTrail(router: AnyRouter): void {
  // before its page is drawn, so that what can be seen can be closed
  router.subscribe("onBeforeLoad", ({ toLocation: { pathname, state } }) => {
    const { __TSR_index: index } = state;
    const opener = openerOf(pathname, index) ?? state.opener;
    entries.set(index, { pathname, opener });
    // the router writes to the browser's history a little later than it tells of it
    router.history.flush();
    const kept = window.history.state as typeof state | null;
    if (kept?.__TSR_index !== index || opener === undefined) return;
    // the router watches its own replaceState, and would reload the page
    History.prototype.replaceState.call(window.history, { ...kept, opener }, "");
  });
}

function openerOf(pathname: string, index: number): Opener | undefined {
  const before = entries.get(index - 1);
  if (before === undefined) return entries.get(index)?.opener;
  // a panel of several steps has several addresses that differ in their search only
  return before.pathname === pathname ? before.opener : { pathname: before.pathname, index: index - 1 };
}

/**
 * Closes a panel that has an address: back to the page it was opened from, so that the browser's Back does not open it
 * again. Where the panel was the first thing seen, the page takes its place. Either way the leave guard is asked.
 */
export function useClosePanel(): (page: string, search?: object) => void {
  const navigate = useNavigate();
  const router = useRouter();
  return useCallback(
    (page, search) => {
      const { __TSR_index: index } = router.state.location.state;
      const opener = entries.get(index)?.opener;
      if (opener?.pathname === decodeURI(page)) router.history.go(opener.index - index);
      else void navigate({ to: page, search: (search ?? {}) as never, replace: true });
    },
    [navigate, router],
  );
}
