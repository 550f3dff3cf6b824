import { expect, it } from "vitest";
import type { Progress } from "../domain/destinations/cursor-store.ts";
import { createProgressRecorder } from "./progress-recorder.ts";

const progressOf = (id: string): Progress => ({
  destination_id: id,
  epoch: 1,
  xact: "7",
  seq: "1",
  attempt: 0,
  next_try_at: null,
  failing_since: null,
  last_success_at: null,
  last_error: { message: "half a character" },
  minutes: [],
  errors: [],
  dead: [],
  risen: [],
});

it("is not idle until the store took the progress, after failures too", async () => {
  const attempts: ((outcome: Error | string[]) => void)[] = [];
  const notes: unknown[] = [];
  const save = () =>
    new Promise<string[]>((resolve, reject) =>
      attempts.push((outcome) => (Array.isArray(outcome) ? resolve(outcome) : reject(outcome))),
    );
  const recorder = createProgressRecorder({ save }, (error) => notes.push(error), new AbortController().signal);
  await recorder.idle();
  const recorded = recorder.record([progressOf("a"), progressOf("b")]);
  attempts[0]?.(new Error("the connection was ended"));
  await expect.poll(() => attempts.length).toBe(2);
  expect(notes).toHaveLength(1);
  const order: string[] = [];
  const idle = recorder.idle().then(() => order.push("idle"));
  order.push("taken");
  attempts[1]?.(["b"]);
  expect([...(await recorded)]).toEqual(["b"]);
  await idle;
  expect(order).toEqual(["taken", "idle"]);
});

it("records without the text that the store rejects", async () => {
  const saved: (readonly Progress[])[] = [];
  const save = (progress: readonly Progress[]) => {
    saved.push(progress);
    const rejected = Object.assign(new Error("invalid byte sequence"), { code: "22021" });
    return saved.length === 1 ? Promise.reject(rejected) : Promise.resolve(["a"]);
  };
  const recorder = createProgressRecorder({ save }, () => {}, new AbortController().signal);
  expect([...(await recorder.record([progressOf("a")]))]).toEqual(["a"]);
  expect(saved.map(([progress]) => progress?.last_error)).toEqual([{ message: "half a character" }, null]);
});

it("gives up when the process stops", async () => {
  const ending = new AbortController();
  const recorder = createProgressRecorder(
    { save: () => Promise.reject(new Error("the store is away")) },
    () => ending.abort(),
    ending.signal,
  );
  await expect(recorder.record([progressOf("a")])).rejects.toThrow("the store is away");
  await recorder.idle();
});
