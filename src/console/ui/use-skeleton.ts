import { useEffect, useRef, useState } from "react";

export const skeletonDelayMs = 150;
export const skeletonLeastMs = 300;

/**
 * Whether to draw the skeleton: not for the first 150 ms of loading, so that a quick answer never flashes one, and for
 * at least 300 ms once it is drawn.
 */
export function useSkeleton(loading: boolean): boolean {
  const [shown, setShown] = useState(false);
  const since = useRef(0);
  useEffect(() => {
    if (loading && !shown) {
      const timer = window.setTimeout(() => {
        since.current = performance.now();
        setShown(true);
      }, skeletonDelayMs);
      return () => window.clearTimeout(timer);
    }
    if (!loading && shown) {
      const left = Math.max(0, since.current + skeletonLeastMs - performance.now());
      const timer = window.setTimeout(() => setShown(false), left);
      return () => window.clearTimeout(timer);
    }
    return undefined;
  }, [loading, shown]);
  return shown;
}
