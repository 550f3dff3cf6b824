import { afterEach, expect, it, vi } from "vitest";
import { createPause, type Pause } from "./pause.ts";

/** Longer than any test: only a wake-up ends it. */
const longMs = 600_000;

/** That a pause begins, and lasts for its time. */
async function expectPause(pause: Pause): Promise<void> {
  vi.useFakeTimers();
  let ended = false;
  void pause.wait(20).then(() => (ended = true));
  await vi.advanceTimersByTimeAsync(19);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toBe(true);
}

afterEach(() => void vi.useRealTimers());

it("ends when it is woken", async () => {
  const pause = createPause(new AbortController().signal);
  const waiting = pause.wait(longMs);
  pause.wake();
  await expect(waiting).resolves.toBeUndefined();
});

it("does not begin when it was woken before, once for all wake-ups", async () => {
  const pause = createPause(new AbortController().signal);
  pause.wake();
  pause.wake();
  await pause.wait(longMs);
  await expectPause(pause);
});

it("does not count wake-ups that the work covers", async () => {
  const pause = createPause(new AbortController().signal);
  pause.wake();
  pause.clear();
  await expectPause(pause);
});

it("ends, and does not begin, once its owner stops", async () => {
  const ending = new AbortController();
  const pause = createPause(ending.signal);
  const waiting = pause.wait(longMs);
  ending.abort();
  await expect(Promise.all([waiting, pause.wait(longMs)])).resolves.toHaveLength(2);
});
