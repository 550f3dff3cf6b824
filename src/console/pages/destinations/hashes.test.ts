import { expect, it } from "vitest";
import { readHashes } from "./hashes.ts";

const a = "a".repeat(64);
const b = "b".repeat(64);

it("finds hashes between anything, each once", () =>
  expect(readHashes(`["${a}", "${b}"]\n${a.toUpperCase()}; nonsense`, [])).toEqual({
    fresh: [a, b],
    repeated: 0,
    wrong: ["nonsense"],
  }));

it("tells those that are listed apart, and cuts what is no hash short", () => {
  expect(readHashes(`${a} ${b} ${"c".repeat(63)}`, [b])).toEqual({ fresh: [a], repeated: 1, wrong: ["cccccccccccc…"] });
  expect(readHashes("", [a])).toEqual({ fresh: [], repeated: 0, wrong: [] });
});
