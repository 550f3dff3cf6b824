import { describe, expect, it } from "vitest";
import { dateToParts, expiryProblem, parsePasted, partsToDate, presetParts, toUtcIso } from "./utc-instant.ts";

const now = new Date("2026-11-20T17:42:00Z");

describe("presets", () => {
  it.each([
    ["7d", "2026-11-27"],
    ["30d", "2026-12-20"],
    ["60d", "2027-01-19"],
    ["90d", "2027-02-18"],
    ["1y", "2027-11-20"],
  ] as const)("%s ends at 23:59:59 UTC of %s", (preset, date) => {
    expect(presetParts(preset, now)).toEqual({ date, time: "23:59:59" });
  });

  it("ends a year from 29 February on the last day of February", () => {
    expect(presetParts("1y", new Date("2028-02-29T10:00:00Z")).date).toBe("2029-02-28");
  });

  it("counts from the UTC date, whatever the hour", () => {
    expect(presetParts("7d", new Date("2026-11-20T23:59:59Z")).date).toBe("2026-11-27");
    expect(presetParts("7d", new Date("2026-11-21T00:00:00Z")).date).toBe("2026-11-28");
  });
});

describe("parts", () => {
  it("are sent with Z and without fractions", () => {
    const at = partsToDate({ date: "2027-02-18", time: "23:59:59" });
    expect(at && toUtcIso(at)).toBe("2027-02-18T23:59:59Z");
  });

  it("take a time without seconds, as browsers give it on the full minute", () => {
    const at = partsToDate({ date: "2027-02-18", time: "08:30" });
    expect(at && toUtcIso(at)).toBe("2027-02-18T08:30:00Z");
  });

  it.each([
    { date: "", time: "" },
    { date: "2027-02-18", time: "" },
    { date: "2027-02-30x", time: "10:00" },
    { date: "2027-13-01", time: "10:00" },
    { date: "2027-02-30", time: "10:00" },
    { date: "2027-02-18", time: "10:0" },
  ])("name no instant: %j", (parts) => {
    expect(partsToDate(parts)).toBeNull();
  });

  it("come back from an instant unchanged", () => {
    expect(dateToParts(new Date("2027-02-18T23:59:59.000Z"))).toEqual({ date: "2027-02-18", time: "23:59:59" });
  });
});

describe("the least expiry", () => {
  it("is five minutes from now", () => {
    expect(expiryProblem({ date: "2026-11-20", time: "17:46:59" }, now)).toMatch(/after 17:47 UTC/);
    expect(expiryProblem({ date: "2026-11-20", time: "17:47:00" }, now)).toBeNull();
  });

  it("asks for both controls", () => {
    expect(expiryProblem({ date: "2026-11-21", time: "" }, now)).toMatch(/date and a time/);
  });
});

describe("a pasted instant", () => {
  it("with an offset is converted, and the conversion is stated", () => {
    expect(parsePasted("2027-01-31T10:00:00+02:00")).toEqual({
      parts: { date: "2027-01-31", time: "08:00:00" },
      note: "Converted: 2027-01-31 10:00:00 at +02:00 is 2027-01-31 08:00:00 UTC",
    });
    expect(parsePasted("2027-01-31 23:30-1000")).toMatchObject({ parts: { date: "2027-02-01", time: "09:30:00" } });
  });

  it("in UTC is taken as it is", () => {
    expect(parsePasted(" 2027-01-31T10:00:00.123Z ")).toMatchObject({
      parts: { date: "2027-01-31", time: "10:00:00" },
    });
  });

  it("without a zone is refused, not guessed", () => {
    expect(parsePasted("2027-01-31T10:00:00")).toEqual({ problem: expect.stringMatching(/has no time zone/) });
  });

  it("that does not exist is refused", () => {
    expect(parsePasted("2027-13-31T10:00:00Z")).toEqual({ problem: expect.stringMatching(/not a date that exists/) });
  });

  it("is only taken where it is one", () => {
    expect(parsePasted("prod-search")).toBeNull();
  });
});
