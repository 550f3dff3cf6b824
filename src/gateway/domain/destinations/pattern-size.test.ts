import { RE2JS } from "re2js";
import { expect, it } from "vitest";
import { patternSize } from "./pattern-size.ts";

it.each([
  ["acme/.*", 7],
  ["(ab){10}", 30],
  ["((a{1,30}){1,30})b", 932],
  ["[(){9}]", 7],
  ["\\({3,}", 6],
  ["\\Q[\\E(a{1000})]", 1007],
  ["a{2", 3],
  ["\\pL{2}", 22],
  ["[\\p{L}\\d\\PN]", 52],
])("%s is of size %i", (pattern, size) => expect(patternSize(pattern)).toBe(size));

it.each(["(a|b|ab)*".repeat(100), "(a{1000})".repeat(4), "((a{1,30}){1,30})b", "\\Q[\\E(a{1000})]", "(abc){300}"])(
  "%s compiles to no more than three steps each",
  (pattern) => expect(RE2JS.compile(pattern).programSize()).toBeLessThanOrEqual(3 * patternSize(pattern)),
);
