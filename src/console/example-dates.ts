/** The dates that whatever shows or reads a time is proved on: a Saturday noon, a leap day, a year's last half minute, and a summer years ahead. */
export const fourDates = [
  new Date("2026-11-21T12:00:00Z"),
  new Date("2028-02-29T12:00:00Z"),
  new Date("2028-12-31T23:59:30Z"),
  new Date("2035-07-01T00:00:00Z"),
] as const;
