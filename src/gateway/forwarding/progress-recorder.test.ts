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

it("says whose progress is not recorded yet, until the store took it, after failures too", async () => {
  const attempts: ((outcome: Error | string[]) => void)[] = [];
  const notes: unknown[] = [];
  const save = () =>
    new Promise<string[]>((resolve, reject) =>
      attempts.push((outcome) => (Array.isArray(outcome) ? resolve(outcome) : reject(outcome))),
    );
  const recorder = createProgressRecorder({ save }, (error) => notes.push(error), new AbortController().signal);
  expect(recorder.isRecording("a")).toBe(false);
  const recorded = recorder.record([progressOf("a"), progressOf("b")]);
  attempts[0]?.(new Error("the connection was ended"));
  await expect.poll(() => attempts.length).toBe(2);
  expect(notes).toHaveLength(1);
  expect([recorder.isRecording("a"), recorder.isRecording("b"), recorder.isRecording("c")]).toEqual([
    true,
    true,
    false,
  ]);
  attempts[1]?.(["b"]);
  expect([...(await recorded)]).toEqual(["b"]);
  expect(recorder.isRecording("a")).toBe(false);
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
  expect(recorder.isRecording("a")).toBe(false);
});
