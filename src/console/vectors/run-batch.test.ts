import { describe, expect, it } from "vitest";
import { planChunks, type Chunk, type Item } from "./plan.ts";
import { startBatch, type Progress, type Refused, type Send } from "./run-batch.ts";

const item = (text: string, inputType: string | null = null): Item => ({ input: text, tokens: 10, inputType });
const items = (count: number) => Array.from({ length: count }, (_, index) => item(`text ${index}`));
const refusal = (status: number, at: number | null = null): { refused: Refused } => ({
  refused: {
    status,
    message: `status ${status}`,
    requestId: null,
    retryAfterMs: null,
    reason: null,
    provider: null,
    at,
    cost: null,
  },
});

describe("planning calls", () => {
  it("sends what is alike once, and puts no more than 256 in a call", () => {
    const list = [...items(300), item("text 0"), item("text 1"), item("text 0")];
    const { chunks, copies } = planChunks(list, [...list.keys()]);
    expect(chunks.map((chunk) => chunk.items.length)).toEqual([256, 44]);
    expect([...copies]).toEqual([
      [0, [300, 302]],
      [1, [301]],
    ]);
  });

  it("keeps the roles apart, and a call under 100,000 tokens", () => {
    const list = [item("a", "search_query"), item("a", "search_document"), { ...item("b"), tokens: 99_995 }, item("c")];
    expect(planChunks(list, [0, 1, 2, 3]).chunks.map((chunk) => chunk.items)).toEqual([[0], [1], [2], [3]]);
  });

  it("keeps a call with pictures under 8 MB, as the gateway takes no more than 32", () => {
    const url = (name: string) => `data:image/png;base64,${name.repeat(3_000_000)}`;
    const list = ["a", "b", "c", "d", "e"].map((name) => ({
      ...item(name),
      input: { content: [{ type: "image_url", image_url: { url: url(name) } }] },
    }));
    const { chunks } = planChunks(list, [...list.keys()], ({ input }) => input);
    expect(chunks.map((chunk) => chunk.items)).toEqual([[0, 1], [2, 3], [4]]);
  });
});

/** Runs a batch to its end; `answer` stands where the gateway would. */
async function run(list: Item[], answer: (chunk: Chunk, call: number) => ReturnType<Send>) {
  const kept = new Map<number, string>();
  const waits: number[] = [];
  let calls = 0;
  let last: Progress | undefined;
  const over = Promise.withResolvers<void>();
  const batch = startBatch(list, {
    send: (chunk) => answer(chunk, (calls += 1)),
    keep: (places, vector) => places.forEach((place) => kept.set(place, vector)),
    wait: async (ms) => void waits.push(ms),
    now: () => 0,
    tell: (progress) => {
      last = progress;
      if (progress.state !== "running" && progress.state !== "paused") over.resolve();
    },
  });
  await over.promise;
  return { batch, kept, waits, calls: () => calls, last: () => last };
}

const good = async (chunk: Chunk) => ({
  vectors: chunk.items.map((place) => `v${place}`),
  tokens: chunk.items.length,
  cost: 0.5,
  ms: 20,
  generation: "gen-1",
  spaces: ["vs_0123456789abcdef0123-2"],
  unfamiliar: [],
});

describe("a run", () => {
  it("puts every vector at all of its places and adds up what it cost", async () => {
    const { kept, last } = await run([...items(300), item("text 7")], good);
    expect(kept.size).toBe(301);
    expect(kept.get(300)).toBe("v7");
    expect(last()).toMatchObject({ state: "done", done: 301, tokens: 300, cost: 1, failures: [] });
  });

  it("knows which rows are in a language that the model does not know, copies among them", async () => {
    const { last } = await run([...items(3), item("text 1")], async (chunk) => ({
      ...(await good(chunk)),
      unfamiliar: [...chunk.items.entries()].flatMap(([at, place]) => (place === 1 ? [at] : [])),
    }));
    expect(last()?.unfamiliar).toEqual([1, 3]);
  });

  it("names each vector space once that an answer came of", async () => {
    const { last } = await run(items(600), async (chunk, call) => ({
      ...(await good(chunk)),
      spaces: call === 2 ? ["vs_b-2", "vs_a-2"] : ["vs_a-2"],
    }));
    expect(last()?.spaces).toEqual(["vs_a-2", "vs_b-2"]);
  });

  it("waits and tries again what passes, as long as it was asked to", async () => {
    const { waits, last } = await run(items(1), async (chunk, call) => {
      if (call === 1) return refusal(529);
      if (call === 2) return { refused: { ...refusal(429).refused, retryAfterMs: 7_000 } };
      return good(chunk);
    });
    expect(waits).toEqual([1_000, 7_000]);
    expect(last()).toMatchObject({ state: "done", done: 1 });
  });

  it("does not repeat by itself what a provider may bill again, and counts what was charged for it", async () => {
    const charged = async (status: number) => ({ refused: { ...refusal(status).refused, cost: 0.25 } });
    const late = await run(items(300), () => charged(524));
    expect(late.calls()).toBe(2);
    expect(late.last()).toMatchObject({ state: "done", done: 0, cost: 0.5 });
    const overloaded = await run(items(1), () => charged(529));
    expect(overloaded.calls()).toBe(1);
    const faulty = await run(items(40), () => charged(400));
    expect(faulty.calls()).toBe(1);
    const unlimited = await run(items(1), async () => refusal(524));
    expect(unlimited.calls()).toBe(1);
    expect(unlimited.last()).toMatchObject({ cost: null, failures: [[0, { status: 524 }]] });
  });

  it("says until when it waits: of several calls, the one that goes on first, and nothing once none waits", async () => {
    const told: Progress[] = [];
    let time = 1_000_000;
    const ends: (() => void)[] = [];
    let calls = 0;
    startBatch(items(512), {
      send: async (chunk) => {
        calls += 1;
        if (calls > 2) return good(chunk);
        return { refused: { ...refusal(429).refused, retryAfterMs: calls === 1 ? 30_000 : 5_000 } };
      },
      keep: () => {},
      wait: (ms) =>
        new Promise((resolve) => {
          ends.push(() => {
            time += ms;
            resolve();
          });
        }),
      now: () => time,
      tell: (progress) => told.push(progress),
    });
    await expect.poll(() => ends).toHaveLength(2);
    expect(told.at(-1)?.waiting?.until).toBe(1_005_000);
    ends[1]?.();
    await expect.poll(() => told.at(-1)?.waiting?.until).toBe(1_030_000);
    ends[0]?.();
    await expect.poll(() => told.at(-1)).toMatchObject({ state: "done", done: 512, waiting: null });
  });

  it("leaves out the one text that is named as at fault, and halves a call where none is named", async () => {
    const named = await run(items(40), async (chunk) => {
      const at = chunk.items.indexOf(13);
      return at === -1 ? good(chunk) : refusal(400, at);
    });
    expect(named.last()).toMatchObject({ state: "done", done: 39, failures: [[13, { status: 400 }]] });
    const unnamed = await run(items(40), async (chunk) => (chunk.items.includes(13) ? refusal(400) : good(chunk)));
    expect(unnamed.last()).toMatchObject({ state: "done", done: 39, failures: [[13, { status: 400 }]] });
  });

  it("sends what a retry cannot change no second time, and what it can once more", async () => {
    const sent: number[] = [];
    let broke = true;
    const { batch, last } = await run(items(40), async (chunk) => {
      sent.push(...chunk.items);
      if (chunk.items.includes(13)) return refusal(400, chunk.items.indexOf(13));
      return broke ? { refused: { ...refusal(524).refused } } : good(chunk);
    });
    expect(last()?.failures).toHaveLength(40);
    broke = false;
    sent.length = 0;
    batch.retry();
    await expect.poll(() => last()?.done).toBe(39);
    expect(sent).not.toContain(13);
    expect(last()).toMatchObject({ state: "done", failures: [[13, { status: 400 }]] });
  });

  it("stops where every other call would fail too, and goes on from there when retried", async () => {
    let broke = true;
    const stopped = await run(items(600), async (chunk) => (broke ? refusal(402) : good(chunk)));
    expect(stopped.last()).toMatchObject({ state: "stopped", done: 0 });
    expect(stopped.last()?.failures).toHaveLength(600);
    broke = false;
    stopped.batch.retry();
    await expect.poll(() => stopped.last()?.state).toBe("done");
    expect(stopped.last()).toMatchObject({ done: 600, failures: [] });
  });

  it.each(["credentials", "payment"])(
    "asks once where the provider refuses for %s, whatever the status",
    async (reason) => {
      const { calls, waits, last } = await run(items(600), async () => ({
        refused: { ...refusal(502).refused, reason },
      }));
      expect(waits).toEqual([]);
      // the calls that were in flight already
      expect(calls()).toBe(3);
      expect(last()?.state).toBe("stopped");
      expect(last()?.failures).toHaveLength(600);
    },
  );

  it("stops, and says why, where the vectors find no room", async () => {
    let last: Progress | undefined;
    startBatch(items(300), {
      send: good,
      keep: () => {
        throw new Error("no room");
      },
      wait: async () => {},
      now: () => 0,
      tell: (progress) => (last = progress),
    });
    await expect.poll(() => last?.state).toBe("stopped");
    expect(last?.failures).toHaveLength(300);
    expect(last?.failures[0]).toMatchObject([0, { status: 0, reason: "memory", message: "no room" }]);
    // the calls were answered, and so they were paid
    expect(last).toMatchObject({ done: 0, cost: 1 });
  });

  it("makes nothing more once cancelled, and only what is left when retried", async () => {
    const gate = Promise.withResolvers<void>();
    let sent = 0;
    const list = items(256 * 5);
    let last: Progress | undefined;
    const batch = startBatch(list, {
      send: async (chunk, signal) => {
        sent += 1;
        if (chunk.items[0] !== 0) await gate.promise;
        return signal.aborted ? refusal(0) : good(chunk);
      },
      keep: () => {},
      wait: async () => {},
      now: () => 0,
      tell: (progress) => (last = progress),
    });
    await expect.poll(() => last?.done).toBe(256);
    batch.cancel();
    gate.resolve();
    expect(last).toMatchObject({ state: "cancelled", done: 256 });
    const before = sent;
    batch.retry();
    await expect.poll(() => last?.state).toBe("done");
    expect(last).toMatchObject({ done: 1_280, failures: [] });
    expect(sent - before).toBe(4);
  });

  it("holds the next call back while it is paused", async () => {
    const gates: (() => void)[] = [];
    let last: Progress | undefined;
    const batch = startBatch(items(256 * 4), {
      send: async (chunk) => {
        await new Promise<void>((resolve) => gates.push(resolve));
        return good(chunk);
      },
      keep: () => {},
      wait: async () => {},
      now: () => 0,
      tell: (progress) => (last = progress),
    });
    batch.pause();
    for (const open of gates) open();
    await expect.poll(() => last?.done).toBe(768);
    expect(gates).toHaveLength(3);
    expect(last?.state).toBe("paused");
    batch.resume();
    expect(gates).toHaveLength(4);
    gates[3]?.();
    await expect.poll(() => last?.state).toBe("done");
  });
});
