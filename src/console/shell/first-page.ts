import { useIsFetching } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { createStore, useStore } from "../api/store.ts";
import { skeletonLeastMs } from "../ui/use-skeleton.ts";
import { useTimeout } from "../ui/use-timeout.ts";

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

/** Watches for it. */
export function useFirstPage(): void {
  const reads = useIsFetching();
  const idle = useRouterState({ select: ({ status }) => status === "idle" });
  const done = idle && reads === 0;
  useTimeout(() => shown.set(true), done ? restMs : mostMs, done);
}
