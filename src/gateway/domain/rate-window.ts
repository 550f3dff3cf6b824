/**
 * How much was used in the last minute, by two counters: that of the current minute and that of the one before, which
 * counts by the share of it that is not yet a minute ago. Exact to the extent that use is even within a minute.
 */
export interface RateWindow {
  /** start of the current minute, milliseconds since 1970 */
  readonly start: number;
  readonly current: number;
  readonly previous: number;
}

export const emptyWindow: RateWindow = { start: 0, current: 0, previous: 0 };

const minuteMs = 60_000;

/** The window as it stands at `now`. */
export function rolled(window: RateWindow, now: number): RateWindow {
  const start = Math.floor(now / minuteMs) * minuteMs;
  if (window.start >= start) return window;
  return { start, current: 0, previous: window.start === start - minuteMs ? window.current : 0 };
}

/** What counts as used in the minute before `now`. */
export function used(window: RateWindow, now: number): number {
  const { start, current, previous } = rolled(window, now);
  const share = Math.max(0, 1 - (now - start) / minuteMs);
  return current + previous * share;
}

export function add(window: RateWindow, amount: number, now: number): RateWindow {
  const at = rolled(window, now);
  return { ...at, current: Math.max(0, at.current + amount) };
}

/** Milliseconds until `amount` more fits under `limit`; 0: now. Null: it never will, for it is more than the limit. */
export function wait(window: RateWindow, amount: number, limit: number, now: number): number | null {
  if (amount > limit) return null;
  const at = rolled(window, now);
  const excess = used(at, now) + amount - limit;
  if (excess <= 0) return 0;
  const left = at.start + minuteMs - now;
  // Within this minute only the previous one's share falls, by previous/60,000 each millisecond.
  const soon = at.previous > 0 ? Math.ceil((excess * minuteMs) / at.previous) : Number.POSITIVE_INFINITY;
  if (soon <= left) return soon;
  // In the next one the current minute's count falls likewise; it has to fall below what the limit leaves.
  const over = at.current + amount - limit;
  return left + (over <= 0 ? 0 : Math.ceil((over * minuteMs) / at.current));
}
