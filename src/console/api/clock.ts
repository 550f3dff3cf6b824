import { useEffect, useState } from "react";

let offsetMs = 0;

/** Synchronizes the clock with the gateway's, as of the middle between request and answer. */
export function setServerClock(serverNow: Date, askedAtMs: number): void {
  const measured = serverNow.getTime() - (askedAtMs + Date.now()) / 2;
  // below a second it is the network's noise, not a wrong clock
  offsetMs = Math.abs(measured) < 1_000 ? 0 : measured;
}

/** Now, by the gateway's clock: limits and expiries are decided there, so a laptop's wrong clock must not show. */
export function now(): Date {
  return new Date(Date.now() + offsetMs);
}

/** The browser's own clock, to measure what passes in this tab: it does not jump when the gateway's time is heard. */
export const stampMs = (): number => Date.now();

/** How long ago something was stamped with the browser's own clock, as React Query does with answers. */
export function ageMs(stamp: number): number {
  return Date.now() - stamp;
}

/** The gateway's time, renewed every `everyMs` and when a hidden tab is shown again. */
export function useNow(everyMs: number): Date {
  const [value, setValue] = useState(now);
  useEffect(() => {
    const renew = () => setValue(now());
    const timer = setInterval(renew, everyMs);
    document.addEventListener("visibilitychange", renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
    };
  }, [everyMs]);
  return value;
}

/** How many of `seconds` are left since `cause` was first passed. */
export function useCountdown(seconds: number, cause: unknown): number {
  const [passed, setPassed] = useState({ cause, seconds: 0 });
  useEffect(() => {
    if (seconds <= 0) return undefined;
    const began = performance.now();
    const timer = setInterval(() => {
      const whole = Math.round((performance.now() - began) / 1_000);
      setPassed({ cause, seconds: whole });
      if (whole >= seconds) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [seconds, cause]);
  return Math.max(0, seconds - (passed.cause === cause ? passed.seconds : 0));
}
