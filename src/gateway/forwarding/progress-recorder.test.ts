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
  redelivered: [],
});

it("records one after another, and again until the store takes it", async () => {
  const attempts: { ids: string[]; answer: (outcome: Error | string[]) => void }[] = [];
  const notes: unknown[] = [];
  const save = (progress: readonly Progress[]) =>
    new Promise<string[]>((resolve, reject) =>
      attempts.push({
        ids: progress.map((each) => each.destination_id),
        answer: (outcome) => (Array.isArray(outcome) ? resolve(outcome) : reject(outcome)),
      }),
    );
  const recorder = createProgressRecorder({ save }, (error) => notes.push(error), new AbortController().signal);
  const first = recorder.record([progressOf("a"), progressOf("b")]);
  const second = recorder.record([progressOf("a")]);
  await expect.poll(() => attempts.length).toBe(1);
  attempts[0]?.answer(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
  await expect.poll(() => attempts.length).toBe(2);
  expect(notes).toHaveLength(1);
  attempts[1]?.answer(["b"]);
  expect([...(await first)]).toEqual(["b"]);
  await expect.poll(() => attempts.length).toBe(3);
  attempts[2]?.answer([]);
  expect([...(await second)]).toEqual([]);
  expect(attempts.map(({ ids }) => ids)).toEqual([["a", "b"], ["a", "b"], ["a"]]);
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

it("keeps the text when the store fails in a way that passes, as the forwarder's thread hears of it", async () => {
  const saved: (readonly Progress[])[] = [];
  const codes = ["57014", "40P01", "unknown"];
  const save = (progress: readonly Progress[]) => {
    saved.push(progress);
    const code = codes[saved.length - 1];
    const failed = Object.assign(new Error("the store did not answer"), { code });
    return code === undefined ? Promise.resolve(["a"]) : Promise.reject(failed);
  };
  const recorder = createProgressRecorder({ save }, () => {}, new AbortController().signal);
  expect([...(await recorder.record([progressOf("a")]))]).toEqual(["a"]);
  expect(saved.map(([progress]) => progress?.last_error)).toEqual(saved.map(() => ({ message: "half a character" })));
});

it("gives up when the process stops", async () => {
  const ending = new AbortController();
  const recorder = createProgressRecorder(
    { save: () => Promise.reject(new Error("the store is away")) },
    () => ending.abort(),
    ending.signal,
  );
  await expect(recorder.record([progressOf("a")])).rejects.toThrow("the store is away");
});
