import { useBlocker } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";

export interface LeaveGuard {
  /** a navigation was stopped and waits for `stay` or `leave` */
  waiting: boolean;
  /** the person wants to leave, and the question is open */
  asking: boolean;
  stay: () => void;
  leave: () => void;
  /** lets the next navigation through, whatever the form says; call it right before navigating */
  open: () => void;
}

/** The question asked before typed text is lost. */
export const leaveQuestion = {
  title: "Leave without saving?",
  text: "What you entered here is lost.",
  leave: "Leave",
  stay: "Keep editing",
} as const;

/** Of each form on the page: whether leaving would lose something. */
const guards = new Set<() => boolean>();

/** For what ends the page without a navigation, as a sign-out in another tab would. */
export function hasUnsavedForm(): boolean {
  return [...guards].some((shut) => shut());
}

/** Of each thing on the page that is nowhere else, although leaving it asks nothing: whether it is still there. */
const kept = new Set<() => boolean>();

/** While `open`, the page shows what is nowhere else, although leaving it asks nothing. */
export function useKeepPage(open: boolean): void {
  useAnswerIn(kept, () => open);
}

/** Whether taking the page away would lose something on it. */
export function keepsPage(): boolean {
  return [...kept].some((open) => open()) || hasUnsavedForm();
}

/** Lets `asked` put its question to the component as it is now, for as long as it is shown. */
function useAnswerIn(asked: Set<() => boolean>, answer: () => boolean): void {
  const latest = useEffectEvent(answer);
  useEffect(() => {
    const ask = () => latest();
    asked.add(ask);
    return () => void asked.delete(ask);
  }, [asked]);
}

/**
 * Guards every way out. Closing a panel is a navigation, so X, Esc, Cancel, Back, a link, another workspace and the
 * command menu all come through here; closing or reloading the tab gets the browser's own question.
 * - `free`: nothing to lose
 * - `ask`: leaving loses what was typed
 * - `hold`: something is under way that must not be left
 */
export function useLeaveGuard(state: "free" | "ask" | "hold"): LeaveGuard {
  const opened = useRef(false);
  const shut = () => state !== "free" && !opened.current;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => shut() && current.pathname !== next.pathname,
    enableBeforeUnload: shut,
    withResolver: true,
  });
  useAnswerIn(guards, shut);
  const blocked = blocker.status === "blocked";
  useEffect(() => {
    if (blocked && state === "hold") blocker.reset();
  }, [blocked, state, blocker]);
  return {
    waiting: blocked,
    asking: blocked && state === "ask",
    stay: () => blocker.reset?.(),
    leave: () => blocker.proceed?.(),
    open: () => {
      opened.current = true;
    },
  };
}
