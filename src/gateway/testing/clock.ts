/** A clock that stands still until it is told otherwise. */
export interface TestClock {
  now: () => Date;
  set(at: Date | string): void;
  /** moves it on by this many milliseconds */
  advance(ms: number): void;
}

/** A Saturday at noon, UTC: no period's boundary is near. */
export function makeClock(start: Date | string = "2026-11-21T12:00:00.000Z"): TestClock {
  let at = new Date(start);
  return {
    now: () => new Date(at),
    set: (next) => void (at = new Date(next)),
    advance: (ms) => void (at = new Date(at.getTime() + ms)),
  };
}
