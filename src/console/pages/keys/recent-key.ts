import { stampMs } from "../../api/clock.ts";
import { createStore, useStore } from "../../api/store.ts";

/** The key made last in this tab, by its hash: its row is marked for ten seconds and watched for its first call. */
export interface RecentKey {
  hash: string;
  at: number;
}

const markedForMs = 10_000;

const recent = createStore<RecentKey | null>(null);
const marked = createStore<string | null>(null);

/** Remembers a key that was just made. */
export function noteRecentKey(hash: string): void {
  recent.set({ hash, at: stampMs() });
  marked.set(hash);
  setTimeout(() => {
    if (marked.get() === hash) marked.set(null);
  }, markedForMs);
}

/** It was deleted again: there is nothing to watch. */
export function forgetRecentKey(): void {
  recent.set(null);
  marked.set(null);
}

/** The hash of the row to mark, while it is to be marked. */
export function useMarked(): string | null {
  return useStore(marked);
}

export function useRecentKey(): RecentKey | null {
  return useStore(recent);
}
