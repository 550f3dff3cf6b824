import { expect, it } from "vitest";
import { placeNames } from "./place-names.ts";

it("the more a map is enlarged, the smaller places are named by the words of their rows", () => {
  const words = ["harbor", "violin", "glacier", "saddle"];
  const rows = Int32Array.from({ length: 80 }, (_, at) => at);
  // two pairs of places: those of a pair are close to one another
  const points = new Float32Array(160);
  for (const row of rows) points.set([row % 4 < 2 ? 0 : 100, (row % 2) * 12], row * 2);
  const textOf = (row: number) => `${words[row % 4]} ${["early", "later"][Math.floor(row / 4) % 2]}`;
  const named = (level: number) => placeNames({ rows, points }, level, textOf).map((place) => place.words);
  expect(named(0)).toHaveLength(2);
  expect(
    named(3)
      .map(([first]) => first)
      .toSorted(),
  ).toEqual(words.toSorted());
  expect(placeNames({ rows: rows.slice(0, 3), points: points.slice(0, 6) }, 2, textOf)).toEqual([]);
});
