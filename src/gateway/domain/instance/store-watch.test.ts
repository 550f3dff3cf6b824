import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchStore } from "./store-watch.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A store whose pings go as told, in order; after that they are answered. */
function watching(...pings: ("answered" | "failed" | "silent")[]) {
  let asked = 0;
  const watch = watchStore({
    ping() {
      const outcome = pings[asked] ?? "answered";
      asked += 1;
      if (outcome === "silent") return new Promise<void>(() => {});
      return outcome === "answered" ? Promise.resolve() : Promise.reject(new Error("ended"));
    },
  });
  return { watch, asked: () => asked };
}

it("takes no ended connection for a store that is away: another one is asked at once", async () => {
  const { watch, asked } = watching("failed", "answered");
  await vi.advanceTimersByTimeAsync(1_000);
  expect([asked(), watch.reachable()]).toEqual([2, true]);
  watch.close();
});

it("is not reachable once two connections in a row fail, and reachable with the next answer, steady from then", async () => {
  const { watch } = watching("failed", "failed", "answered");
  await vi.advanceTimersByTimeAsync(1_000);
  expect([watch.reachable(), watch.steadyMs()]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([watch.reachable(), watch.steadyMs()]).toEqual([true, 0]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(watch.steadyMs()).toBe(5_000);
  watch.close();
});

it("is not reachable after three checks without an answer", async () => {
  const { watch } = watching("silent");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(watch.reachable()).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(watch.reachable()).toBe(false);
  watch.close();
});
