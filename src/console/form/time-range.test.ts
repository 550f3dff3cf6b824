import { describe, expect, it } from "vitest";
import { isBound, lastRange, readBound, writeBound } from "./time-range.ts";

describe("a stretch of time", () => {
  it("is read in UTC; a day alone is whole", () => {
    expect(readBound("2028-02-29", false)).toBe("2028-02-29T00:00:00.000Z");
    expect(readBound("2028-02-29", true)).toBe("2028-03-01T00:00:00.000Z");
    expect(readBound(" 2026-11-22 14:05 UTC", true)).toBe("2026-11-22T14:05:00.000Z");
    expect(readBound("2026-11-22T14:05:09Z", false)).toBe("2026-11-22T14:05:09.000Z");
  });

  it.each(["", "yesterday", "2026-02-30", "22.11.2026", "2026-11-22 25:00", "2026-11-22T14:00:00+02:00"])(
    "is not %s",
    (text) => expect(readBound(text, false)).toBeNull(),
  );

  it("is written so that it is read as the same", () => {
    for (const iso of ["2026-11-22T14:05:00.000Z", "2026-11-22T14:05:09.000Z"]) {
      expect(readBound(writeBound(iso), true)).toBe(iso);
    }
    expect(writeBound(undefined)).toBe("");
  });

  it("of the last hour begins with a whole minute", () =>
    expect(lastRange(60, new Date("2026-11-22T14:05:09.123Z"))).toEqual({ since: "2026-11-22T13:05:00.000Z" }));

  it("in an address is an instant that there is", () => {
    expect(["2026-11-22T14:05:00Z", "2026-11-22T14:05:00.000Z"].every(isBound)).toBe(true);
    expect(["2026-02-30T14:05:00Z", "2026-11-22", "14:00"].some(isBound)).toBe(false);
  });
});
