import { useEffect, useEffectEvent } from "react";

/**
 * Calls `run` once, after `ms` in which neither `ms` nor `of` has changed and the component was shown; never while `ms`
 * is null. The latest `run` is the one that is called.
 */
export function useTimeout(run: () => void, ms: number | null, of?: unknown): void {
  const latest = useEffectEvent(run);
  useEffect(() => {
    if (ms === null) return undefined;
    const timer = setTimeout(() => latest(), ms);
    return () => clearTimeout(timer);
  }, [ms, of]);
}
