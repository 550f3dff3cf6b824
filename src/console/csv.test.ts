import { expect, it } from "vitest";
import { csvName, toCsv } from "./csv.ts";

it("a file begins with a byte order mark and ends every record with CRLF", () =>
  expect(toCsv(["a", "b"], [["x", 1]])).toBe("\uFEFFa,b\r\nx,1\r\n"));

it.each([
  ["plain", "plain"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["", ""],
  // harmless to a spreadsheet
  ...["=1+1", "+1", "-1", "@SUM(A1)", "\tx"].map((text) => [text, `'${text}`]),
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  // numbers are bare, negative ones too, and without exponents
  [-1.5, "-1.5"],
  [1e-9, "0.000000001"],
  [0.0000071, "0.0000071"],
  // instants are in UTC, null is nothing, flags are words
  [new Date("2026-11-20T23:18:04.000Z"), "2026-11-20T23:18:04.000Z"],
  [null, ""],
  [true, "true"],
] as [string | number | boolean | Date | null, string][])("the cell %j is written as %j", (value, cell) =>
  expect(toCsv(["h"], [[value]])).toBe(`\uFEFFh\r\n${cell}\r\n`),
);

it("a file is named by what, where and when", () => {
  const name = csvName("keys", "production", new Date("2026-11-20T23:18:04.511Z"));
  expect(name).toBe("keys_production_2026-11-20T231804Z.csv");
});
