/** A clock that does not move until it is advanced. */
export interface TestClock {
  now: () => Date;
  set(at: Date | string): void;
  /** moves it on by this many milliseconds */
  advance(ms: number): void;
}

/** A Saturday at noon; a leap day; the last half minute of a day, a week, a month and a year; years ahead. */
export const testDates = [
  "2026-11-21T12:00:00.000Z",
  "2028-02-29T12:00:00.000Z",
  "2028-12-31T23:59:30.000Z",
  "2035-07-01T12:00:00.000Z",
] as const;

/** GATEHOUSE_TEST_DATE, else the Saturday at noon: no boundary of a period is near. */
const usualStart = process.env["GATEHOUSE_TEST_DATE"] ?? testDates[0];

export function makeClock(start: Date | string = usualStart): TestClock {
  let at = new Date(start);
  return {
    now: () => new Date(at),
    set: (next) => void (at = new Date(next)),
    advance: (ms) => void (at = new Date(at.getTime() + ms)),
  };
}
