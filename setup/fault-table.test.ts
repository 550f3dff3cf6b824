import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { faults } from "./fault-table.ts";
import { root } from "./run.js";

it("puts six faults into each of six rooms, at places that the code has once", () => {
  const byRoom = Map.groupBy(faults, ({ room }) => room);
  expect([...byRoom.values()].map((some) => some.length)).toEqual([6, 6, 6, 6, 6, 6]);
  const times = faults.map(({ file, from }) => readFileSync(join(root, file), "utf8").split(from).length - 1);
  expect(faults.filter((_, index) => times[index] !== 1)).toEqual([]);
});
