import { useIsFetching } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { createStore, useStore } from "../api/store.ts";
import { skeletonLeastMs } from "../ui/use-skeleton.ts";

const shown = createStore(false);

/** A page that takes longer than this has its frame completed around it. */
const mostMs = 5_000;
/** The answer to one read may be what the next one waits for, and a skeleton stays for a while. */
const restMs = skeletonLeastMs + 50;

/**
 * Whether the page that the console was opened with has been read. Until then the frame asks for nothing of its own:
 * neither its menus' code nor what the sidebar counts.
 */
export function useFirstPageShown(): boolean {
  return useStore(shown);
}

/**
 * Watches for it. On a busy machine the page may still be drawing one answer, and not have asked for the next, when
 * nothing was read for long enough: drawing leaves the browser no idle moment.
 */
export function useFirstPage(): void {
  const reads = useIsFetching();
  const settled = useRouterState({ select: ({ status }) => status === "idle" }) && reads === 0;
  useEffect(() => {
    let waiting = true;
    const show = () => waiting && shown.set(true);
    const timer = setTimeout(() => afterDrawing(show), settled ? restMs : mostMs);
    return () => {
      waiting = false;
      clearTimeout(timer);
    };
  }, [settled]);
}

/** Safari has no idle callbacks. */
const afterDrawing = (run: () => void) => void ("requestIdleCallback" in window ? requestIdleCallback(run) : run());
