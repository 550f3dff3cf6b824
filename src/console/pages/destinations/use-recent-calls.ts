import { useState } from "react";
import { tryDestination, type TryDestinationBody } from "#contract/forwarding.ts";
import { useDebouncedCall } from "./use-debounced-call.ts";

export interface RecentCalls {
  /** the call to show; undefined: there is none, or it is not known yet */
  current: string | undefined;
  /** shows another one; undefined where there is none */
  next: (() => void) | undefined;
}

/** The last calls, those first that the unsaved settings would send: what leaves is best seen in one that does. */
export function useRecentCalls(settings: TryDestinationBody): RecentCalls {
  const [place, setPlace] = useState(0);
  const { data } = useDebouncedCall(tryDestination, { body: settings });
  const calls =
    data?.data.toSorted((a, b) => Number(b.outcome === "forwarded") - Number(a.outcome === "forwarded")) ?? [];
  return {
    current: calls[place % Math.max(1, calls.length)]?.generation_id,
    next: calls.length > 1 ? () => setPlace((before) => (before + 1) % calls.length) : undefined,
  };
}
