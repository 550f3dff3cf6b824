import { useEffect, useState } from "react";
import { minuteMs } from "#contract/time.ts";
import { ageMs, stampMs } from "../api/clock.ts";

const idleMs = 15 * minuteMs;
const warnMs = 2 * minuteMs;
const activity = ["pointerdown", "pointermove", "keydown", "scroll"] as const;

/** In steps, since each change is read out. */
export function idleWords(seconds: number): string {
  if (seconds > 60) return "2 minutes";
  return seconds > 15 ? "1 minute" : "15 seconds";
}

/**
 * Calls `onIdle` after 15 minutes without a sign of life, and tells the seconds that are left during the last two of
 * them. Any activity extends (WCAG 2.2.1).
 */
export function useIdle(active: boolean, onIdle: () => void): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    if (!active) return undefined;
    let last = stampMs();
    const live = () => {
      last = stampMs();
    };
    const tick = () => {
      const remaining = idleMs - ageMs(last);
      setLeft(remaining <= warnMs ? Math.max(0, Math.ceil(remaining / 1_000)) : null);
      if (remaining <= 0) onIdle();
    };
    const timer = setInterval(tick, 1_000);
    for (const name of activity) document.addEventListener(name, live, { passive: true, capture: true });
    return () => {
      clearInterval(timer);
      setLeft(null);
      for (const name of activity) document.removeEventListener(name, live, { capture: true });
    };
  }, [active, onIdle]);
  return left;
}
