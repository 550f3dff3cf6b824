import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProcessEvents } from "./encoder-process.ts";
import type { TextAnswer, TextRequest } from "./messages.ts";
import { createSemanticModel, type SemanticModel, type SemanticModelOptions } from "./semantic-model.ts";

/** A process that answers only when it is told to; a text's vector is its length. */
function fakeProcesses() {
  const started: FakeProcess[] = [];
  const start: SemanticModelOptions["start"] = (_, events) => {
    const fake: FakeProcess = { events, batches: [], ended: false };
    started.push(fake);
    return {
      id: started.length,
      encode: (texts) => void fake.batches.push(texts),
      end: () => void (fake.ended = true),
    };
  };
  return { started, start };
}

interface FakeProcess {
  readonly events: ProcessEvents;
  readonly batches: (readonly TextRequest[])[];
  ended: boolean;
}

const answerOf = ({ text }: TextRequest): TextAnswer =>
  text.startsWith("long")
    ? { type: "tooLong", tokens: 1_000 }
    : { type: "vector", vector: Float32Array.of(text.length), tokens: 1, familiar: true };

function answer(process: FakeProcess | undefined) {
  process?.events.encoded((process.batches.at(-1) ?? []).map(answerOf));
}

const unhurried = new AbortController().signal;
const by = (owner: string, signal = unhurried) => ({ owner, signal, truncate: false });
const many = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

function open(options: Partial<SemanticModelOptions> = {}) {
  const { started, start } = fakeProcesses();
  const warn = vi.fn<SemanticModelOptions["warn"]>();
  const model = createSemanticModel({ folder: "", warn, start, ...options });
  return { model, started, warn };
}

/** For calls whose answer does not matter: without one they are refused, half a minute after the test. */
function ask(model: SemanticModel, ...call: Parameters<SemanticModel["embed"]>): void {
  model.embed(...call).catch(() => {});
}

describe("the model's process", () => {
  it("starts at the first call, serves batches of all callers, and ends when it is idle", async () => {
    const { model, started } = open({ idleMs: 20 });
    expect(started).toHaveLength(0);
    const one = model.embed(["a", "bb"], by("one"));
    const other = model.embed(["ccc"], by("other"));
    expect(started).toHaveLength(1);
    started[0]?.events.ready();
    expect(started[0]?.batches[0]?.map(({ text }) => text)).toEqual(["a", "ccc", "bb"]);
    answer(started[0]);
    expect((await one).map(({ vector }) => vector[0])).toEqual([1, 2]);
    expect((await other).map(({ vector }) => vector[0])).toEqual([3]);
    await expect.poll(() => started[0]?.ended).toBe(true);
    expect(model.processId()).toBe(null);
    ask(model, ["again"], by("one"));
    expect(started).toHaveLength(2);
  });

  it("lets owners take turns, however much one of them has waiting", async () => {
    const { model, started } = open();
    const all = model.embed(many("flood ", 1_000), by("flood"));
    started[0]?.events.ready();
    const one = model.embed(["small"], by("small"));
    answer(started[0]);
    expect(started[0]?.batches[1]?.slice(0, 2).some(({ text }) => text === "small")).toBe(true);
    answer(started[0]);
    expect(await one).toHaveLength(1);
    while ((started[0]?.batches.at(-1)?.length ?? 0) > 0 && started[0]?.batches.flat().length !== 1_001)
      answer(started[0]);
    answer(started[0]);
    expect(await all).toHaveLength(1_000);
  });

  it("makes batches small where texts are long", () => {
    const { model, started } = open();
    ask(model, Array<string>(10).fill("x".repeat(65_000)), by("one"));
    ask(model, Array<string>(10).fill("x".repeat(500)), by("other"));
    started[0]?.events.ready();
    expect(started[0]?.batches[0]).toHaveLength(1);
    answer(started[0]);
    expect(started[0]?.batches[1]?.length).toBeLessThan(5);
  });

  it("says which text is too long, and computes the rest of that call no more", async () => {
    const { model, started } = open();
    const call = model.embed(["a", "long", ...many("rest ", 100)], by("one"));
    started[0]?.events.ready();
    answer(started[0]);
    await expect(call).rejects.toMatchObject({ name: "TooLong", index: 1, tokens: 1_000 });
    expect(started[0]?.batches).toHaveLength(1);
  });

  it("drops what waits when its caller leaves", async () => {
    const { model, started } = open();
    const leaving = new AbortController();
    const call = model.embed(many("text ", 1_000), by("one", leaving.signal));
    started[0]?.events.ready();
    leaving.abort(new Error("left"));
    await expect(call).rejects.toThrow("left");
    answer(started[0]);
    expect(started[0]?.batches).toHaveLength(1);
  });

  it("refuses more texts than it could compute in reasonable time", async () => {
    const { model } = open();
    const rest = model.embed(many("text ", 16_384), by("one"));
    await expect(model.embed(["one more"], by("one"))).rejects.toMatchObject({ retryAfterSeconds: 5 });
    ask(model, ["another's"], by("other"));
    model.close();
    await expect(rest).rejects.toThrow("the gateway stops");
    await expect(model.embed(["late"], by("one"))).rejects.toThrow("the gateway stops");
  });
});

describe("a process that ends", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("loses its batch, and what waits goes to the next one", async () => {
    const { model, started, warn } = open();
    const lost = model.embed(["lost"], by("one"));
    started[0]?.events.ready();
    const kept = model.embed(["kept"], by("other"));
    started[0]?.events.ended("SIGSEGV");
    await expect(lost).rejects.toMatchObject({ name: "SemanticUnavailable", retryAfterSeconds: 1 });
    expect(warn).toHaveBeenCalledTimes(1);
    started[1]?.events.ready();
    answer(started[1]);
    expect(await kept).toHaveLength(1);
  });

  it("is started with growing pauses where it cannot start, and callers are refused at once", async () => {
    const { model, started } = open();
    const first = model.embed(["a"], by("one"));
    started[0]?.events.ended("no weights");
    await expect(first).rejects.toMatchObject({ message: "its process ended (no weights)", retryAfterSeconds: 1 });
    await expect(model.embed(["b"], by("one"))).rejects.toMatchObject({ retryAfterSeconds: 1 });
    expect(started).toHaveLength(1);
    vi.advanceTimersByTime(1_050);
    const second = model.embed(["c"], by("one"));
    expect(started).toHaveLength(2);
    started[1]?.events.ended("no weights");
    await expect(second).rejects.toMatchObject({ retryAfterSeconds: 2 });
  });

  it("is ended where it neither starts nor answers in time", async () => {
    const { model, started } = open({ longestMs: 20 });
    const unstarted = model.embed(["a"], by("one"));
    vi.advanceTimersByTime(20);
    await expect(unstarted).rejects.toThrow("took too long to start");
    expect(started[0]?.ended).toBe(true);
    vi.advanceTimersByTime(1_050);
    const stuck = model.embed(["a"], by("one"));
    started[1]?.events.ready();
    vi.advanceTimersByTime(20);
    await expect(stuck).rejects.toThrow("took too long");
    expect(started[1]?.ended).toBe(true);
  });
});
