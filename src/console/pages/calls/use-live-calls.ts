import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { type CallEntry, listCalls } from "#contract/call-list.ts";
import { query } from "../../api/query.ts";
import { useListener } from "../../ui/use-listener.ts";
import { callsQuery } from "./call-pages.ts";
import { callsOf, idOf, type Listed, noArrivals, withArrivals } from "./live-calls.ts";
import type { CallsSearch } from "./search.ts";

const lookEveryMs = 2_000;
const most = "100";
/** Scrolled further than this, the page is being read. */
const readFromPx = 80;

export interface LiveCalls {
  on: boolean;
  setOn: (on: boolean) => void;
  /** why new calls are held back now; null: they are shown as they come */
  paused: "scrolled" | "hidden" | null;
  /** to be put on top of the list */
  shown: readonly CallEntry[];
  /** how many came since it was switched on, shown or not */
  came: number;
  /** how many of them are held back */
  held: number;
  /** more came than one read holds: the list has to be read again */
  gap: boolean;
  /** forgets what came: the list was read again */
  reset: () => void;
}

interface Wanted {
  search: CallsSearch;
  workspaceId: string | undefined;
  /** undefined while the list is read for the first time */
  listed: Listed | undefined;
  /** hears that new calls came, so that what is said of all calls can follow */
  onArrivals: () => void;
}

/** New calls, while it is switched on. While the page is scrolled they are held back: rows must not move while they are read. */
export function useLiveCalls({ search, workspaceId, listed, onArrivals }: Wanted): LiveCalls {
  const [wanted, setWanted] = useState(false);
  const on = wanted && noNewCalls(search) === false;
  const [arrivals, setArrivals] = useState(noArrivals);
  const [released, setReleased] = useState<ReadonlySet<string>>(new Set());
  const paused = usePaused();
  const filters = JSON.stringify(callsQuery(search, workspaceId));
  const [of, setOf] = useState(filters);
  const reset = () => {
    setArrivals(noArrivals);
    setReleased(new Set());
  };
  if (of !== filters) {
    setOf(filters);
    reset();
  }
  const { data } = useQuery({
    ...query(listCalls, { query: { ...callsQuery(search, workspaceId), limit: most } }),
    enabled: on && workspaceId !== undefined && listed !== undefined,
    // a hidden tab reads nothing; what came meanwhile is found on return
    refetchInterval: lookEveryMs,
    refetchOnWindowFocus: "always",
    gcTime: 0,
  });
  const found = on ? data?.data : undefined;
  const arrived = useEffectEvent(onArrivals);
  useEffect(() => {
    if (found === undefined || listed === undefined) return;
    const next = withArrivals(arrivals, found, listed);
    if (next === arrivals) return;
    setArrivals(next);
    arrived();
  }, [found, listed, arrivals]);
  useEffect(() => {
    if (paused === null) setReleased(new Set(arrivals.calls.map(keyOf)));
  }, [paused, arrivals]);
  const shown = arrivals.calls.filter((entry) => released.has(keyOf(entry)));
  return {
    on,
    setOn: (next) => {
      setWanted(next);
      if (next) reset();
    },
    paused,
    shown,
    came: arrivals.calls.length,
    held: arrivals.calls.length - shown.length,
    gap: arrivals.gap,
    reset,
  };
}

/** A line whose count grew is new again. */
const keyOf = (entry: CallEntry) => `${idOf(entry)} ${callsOf(entry)}`;

/** Why new calls cannot be followed. */
export function noNewCalls({ until, group, sort }: CallsSearch): string | false {
  if (sort !== undefined && group === undefined) return "Sort by time to follow new calls";
  if (group === "session") return "Sessions are read once: choose Calls to follow new ones";
  return until !== undefined && "The range has an end: no new call can be in it";
}

function usePaused(): LiveCalls["paused"] {
  const [paused, setPaused] = useState<LiveCalls["paused"]>(null);
  const look = () => setPaused(document.hidden ? "hidden" : window.scrollY > readFromPx ? "scrolled" : null);
  useListener(document, "visibilitychange", look);
  useListener(window, "scroll", look);
  return paused;
}
