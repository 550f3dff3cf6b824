import { expect, it } from "vitest";
import { createRestarts } from "./restarts.ts";

it("replaces a worker at once, and one that ends again and again later and later, each for itself", () => {
  let now = 0;
  const restarts = createRestarts(() => now);
  const dies = (worker: number, afterMs: number) => {
    restarts.serves(worker);
    now += afterMs;
    return restarts.after(worker);
  };
  expect([dies(1, 1_000), dies(1, 1_000), dies(1, 1_000), dies(2, 1_000)]).toEqual([200, 400, 800, 200]);
  for (let at = 0; at < 10; at += 1) dies(1, 1_000);
  expect(dies(1, 1_000)).toBe(30_000);
  // before it served
  expect(restarts.after(1)).toBe(30_000);
  expect([dies(1, 60_000), dies(1, 1_000)]).toEqual([200, 400]);
});
