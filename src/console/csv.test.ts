import { describe, expect, it } from "vitest";
import { csvName, toCsv } from "./csv.ts";

const one = (value: Parameters<typeof toCsv>[1] extends Iterable<readonly (infer V)[]> ? V : never) =>
  toCsv(["h"], [[value]]).split("\r\n")[1];

describe("toCsv", () => {
  it("begins with a byte order mark and ends every record with CRLF", () =>
    expect(toCsv(["a", "b"], [["x", 1]])).toBe("\uFEFFa,b\r\nx,1\r\n"));

  it.each([
    ["plain", "plain"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\nlines", '"two\nlines"'],
    ["", ""],
  ])("quotes %j", (value, expected) => expect(one(value)).toBe(expected));

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx"])("makes %j harmless to a spreadsheet", (value) =>
    expect(one(value)).toBe(`'${value}`),
  );

  it("quotes and disarms together", () =>
    expect(one('=HYPERLINK("http://x","y")')).toBe('"\'=HYPERLINK(""http://x"",""y"")"'));

  it("leaves numbers bare, negative ones too, and without exponents", () => {
    expect(one(-1.5)).toBe("-1.5");
    expect(one(1e-9)).toBe("0.000000001");
    expect(one(0.0000071)).toBe("0.0000071");
  });

  it("writes instants in UTC, null as nothing, flags as words", () => {
    expect(one(new Date("2026-11-20T23:18:04.000Z"))).toBe("2026-11-20T23:18:04.000Z");
    expect(one(null)).toBe("");
    expect(one(true)).toBe("true");
  });
});

it("names the file by what, where and when", () =>
  expect(csvName("keys", "production", new Date("2026-11-20T23:18:04.511Z"))).toBe(
    "keys_production_2026-11-20T231804Z.csv",
  ));
