import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

export interface LeaveGuard {
  /** somebody wants out, and the question is open */
  asking: boolean;
  stay: () => void;
  leave: () => void;
  /** lets the next navigation through, whatever the form says; call it right before navigating */
  open: () => void;
}

/**
 * Guards every way out. Closing a panel is a navigation, so X, Esc, Cancel, Back, a link, another workspace and the
 * command menu all come through here; closing or reloading the tab gets the browser's own question.
 * - `free`: nothing to lose
 * - `ask`: leaving loses what was typed
 * - `hold`: something is under way that must not be left
 */
export function useLeaveGuard(state: "free" | "ask" | "hold"): LeaveGuard {
  const latest = useRef(state);
  const opened = useRef(false);
  useEffect(() => {
    latest.current = state;
  });
  const shut = () => latest.current !== "free" && !opened.current;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => shut() && current.pathname !== next.pathname,
    enableBeforeUnload: shut,
    withResolver: true,
  });
  const blocked = blocker.status === "blocked";
  useEffect(() => {
    if (blocked && state === "hold") blocker.reset();
  }, [blocked, state, blocker]);
  return {
    asking: blocked && state === "ask",
    stay: () => blocker.reset?.(),
    leave: () => blocker.proceed?.(),
    open: () => {
      opened.current = true;
    },
  };
}
