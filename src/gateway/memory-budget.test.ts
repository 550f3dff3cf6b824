import { expect, it } from "vitest";
import { createMemoryBudget } from "./memory-budget.ts";

/** In steps of one byte, until there is no room. */
function takeAll(budget: ReturnType<typeof createMemoryBudget>, owner: string): number {
  let taken = 0;
  while (budget.take(owner, 1)) taken += 1;
  return taken;
}

it("leaves free as much as any owner holds, so that the next one always finds room", () => {
  const budget = createMemoryBudget(1_024);
  const shares = Array.from({ length: 9 }, (_, index) => takeAll(budget, `owner ${index}`));
  expect(shares).toEqual([512, 256, 128, 64, 32, 16, 8, 4, 2]);
  expect(takeAll(budget, "owner 0")).toBe(0);
  budget.give("owner 0", 512);
  expect(takeAll(budget, "another")).toBe(257);
});
