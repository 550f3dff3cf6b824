import { expect, it } from "vitest";
import { matrixParts } from "./matrix-parts.ts";
import type { Progress, Refused } from "../../vectors/run-batch.ts";
import type { Shown } from "./playground.ts";

const rows = (count: number, group: (row: number) => string) =>
  Array.from({ length: count }, (_, row) => ({ number: row + 1, text: `text ${row}`, group: group(row) }) as Shown);

it("offers a sample, what was picked, and labels, none larger than a matrix", () => {
  const shown = rows(5_000, (row) => (row < 3_000 ? "all over" : row < 3_040 ? "shipping" : ""));
  const parts = matrixParts(shown, [4, 9, 14]);
  expect(parts.map(({ words }) => words)).toEqual([
    "A sample of 500 rows",
    "3 rows picked on the map",
    "shipping, 40 rows",
  ]);
  // evenly over the run, so that it is a sample of all of it
  expect(parts[0]?.rows.slice(0, 3)).toEqual([0, 10, 20]);
  // of rows that have a vector
  const failures: Progress["failures"] = [[0, { status: 400 } as Refused]];
  expect(matrixParts(shown, null, failures)[0]?.rows).toHaveLength(500);
  expect(matrixParts(shown, null, failures)[0]?.rows).not.toContain(0);
  expect(parts[2]?.rows).toEqual(Array.from({ length: 40 }, (_, at) => 3_000 + at));
});
