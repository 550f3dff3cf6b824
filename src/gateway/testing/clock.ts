/** A clock that does not move until it is advanced. */
export interface TestClock {
  now: () => Date;
  set(at: Date | string): void;
  /** moves it on by this many milliseconds */
  advance(ms: number): void;
}

/** GATEHOUSE_TEST_DATE, else a Saturday at noon, UTC: no boundary of a period is near. */
const usualStart = process.env["GATEHOUSE_TEST_DATE"] ?? "2026-11-21T12:00:00.000Z";

export function makeClock(start: Date | string = usualStart): TestClock {
  let at = new Date(start);
  return {
    now: () => new Date(at),
    set: (next) => void (at = new Date(next)),
    advance: (ms) => void (at = new Date(at.getTime() + ms)),
  };
}
