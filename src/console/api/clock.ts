import { useEffect, useState } from "react";

let offsetMs = 0;

/** Tells the clock what the gateway's was at the moment between asking and hearing. */
export function setServerClock(serverNow: Date, askedAtMs: number, heardAtMs: number): void {
  const measured = serverNow.getTime() - (askedAtMs + heardAtMs) / 2;
  // below a second it is the network's noise, not a wrong clock
  offsetMs = Math.abs(measured) < 1_000 ? 0 : measured;
}

/** Now, by the gateway's clock: limits and expiries are decided there, so a laptop's wrong clock must not show. */
export function now(): Date {
  return new Date(Date.now() + offsetMs);
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
