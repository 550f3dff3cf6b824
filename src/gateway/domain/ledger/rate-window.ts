import { minuteMs } from "#contract/time.ts";
/**
 * Usage over the last minute, from two counters: the current minute's, and the previous one's, weighted by the part of
 * that minute that is still within the window. Exact to the extent that usage is even within a minute.
 */
export interface RateWindow {
  /** start of the current minute, milliseconds since 1970 */
  readonly start: number;
  readonly current: number;
  readonly previous: number;
  /** when something was last used: a minute later none of it counts */
  readonly last: number;
}

export const emptyWindow: RateWindow = { start: 0, current: 0, previous: 0, last: 0 };

/** The window at `now`. One that lies more than a minute ahead is of a clock that was set back since: it is over. */
export function rolled(window: RateWindow, now: number): RateWindow {
  const start = Math.floor(now / minuteMs) * minuteMs;
  if (window.start > start + minuteMs) return { ...emptyWindow, start };
  if (window.start >= start) return now < window.last + minuteMs ? window : { ...window, previous: 0 };
  const previous = window.start === start - minuteMs && now < window.last + minuteMs ? window.current : 0;
  return { start, current: 0, previous, last: window.last };
}

/** Usage in the minute before `now`. */
export function used(window: RateWindow, now: number): number {
  const { start, current, previous } = rolled(window, now);
  const share = Math.max(0, 1 - (now - start) / minuteMs);
  return current + previous * share;
}

export function add(window: RateWindow, amount: number, now: number): RateWindow {
  const at = rolled(window, now);
  const last = amount > 0 ? Math.max(at.last, now) : at.last;
  return { ...at, current: Math.max(0, at.current + amount), last };
}

/** Milliseconds until `amount` more fits under `limit`; 0: now. Null: never, because it exceeds the limit. */
export function wait(window: RateWindow, amount: number, limit: number, now: number): number | null {
  if (amount > limit) return null;
  const at = rolled(window, now);
  const excess = used(at, now) + amount - limit;
  if (excess <= 0) return 0;
  const left = at.start + minuteMs - now;
  // Within this minute only the previous minute's share falls, by previous/60,000 per millisecond.
  const soon = at.previous > 0 ? Math.ceil((excess * minuteMs) / at.previous) : Number.POSITIVE_INFINITY;
  if (soon <= left) return soon;
  // In the next one, the current minute's count falls the same way, until it is below what the limit leaves.
  const over = at.current + amount - limit;
  return Math.min(left + (over <= 0 ? 0 : Math.ceil((over * minuteMs) / at.current)), at.last + minuteMs - now);
}
