import { describe, expect, it } from "vitest";
import { planChunks, type Chunk, type Item } from "./plan.ts";
import { startBatch, type Progress, type Refused, type Send } from "./run-batch.ts";

const item = (text: string, inputType: string | null = null): Item => ({ input: text, tokens: 10, inputType });
const items = (count: number) => Array.from({ length: count }, (_, index) => item(`text ${index}`));
const nothing = { requestId: null, retryAfterMs: null, reason: null, provider: null, at: null, cost: null };
const refusal = (status: number, more: Partial<Refused> = {}): { refused: Refused } => ({
  refused: { status, message: `status ${status}`, ...nothing, ...more },
});

it("planning calls sends what is alike once, and puts no more than 256 in a call", () => {
  const list = [...items(300), item("text 0"), item("text 1"), item("text 0")];
  const { chunks, copies } = planChunks(list, [...list.keys()]);
  expect(chunks.map((chunk) => chunk.items.length)).toEqual([256, 44]);
  expect(Object.fromEntries(copies)).toEqual({ 0: [300, 302], 1: [301] });
});

it("planning calls keeps the roles apart, and a call under 100,000 tokens", () => {
  const list = [item("a", "search_query"), item("a", "search_document"), { ...item("b"), tokens: 99_995 }, item("c")];
  expect(planChunks(list, [0, 1, 2, 3]).chunks.map((chunk) => chunk.items)).toEqual([[0], [1], [2], [3]]);
});

it("planning calls keeps a call with pictures under 8 MB, as the gateway takes no more than 32", () => {
  const url = (name: string) => `data:image/png;base64,${name.repeat(3_000_000)}`;
  const list = ["a", "b", "c", "d", "e"].map((name) => ({
    ...item(name),
    input: { content: [{ type: "image_url", image_url: { url: url(name) } }] },
  }));
  const { chunks } = planChunks(list, [...list.keys()], ({ input }) => input);
  expect(chunks.map((chunk) => chunk.items.join())).toEqual(["0,1", "2,3", "4"]);
});

type Answer = (chunk: Chunk, call: number, signal: AbortSignal) => ReturnType<Send>;

/** A batch under way; `answer` stands where the gateway would. */
function begin(list: Item[], answer: Answer, more: Partial<Parameters<typeof startBatch>[1]> = {}) {
  const kept = new Map<number, string>();
  const waits: number[] = [];
  let [calls, last] = [0, undefined as Progress | undefined];
  const over = Promise.withResolvers<void>();
  const batch = startBatch(list, {
    send: (chunk, signal) => answer(chunk, (calls += 1), signal),
    keep: (places, vector) => places.forEach((place) => kept.set(place, vector)),
    wait: async (ms) => void waits.push(ms),
    now: () => 0,
    tell: (progress) => {
      last = progress;
      if (progress.state !== "running" && progress.state !== "paused") over.resolve();
    },
    ...more,
  });
  return { batch, kept, waits, calls: () => calls, last: () => last, over: over.promise };
}

async function run(...given: Parameters<typeof begin>) {
  const begun = begin(...given);
  await begun.over;
  return begun;
}

const good = async (chunk: Chunk) => ({
  vectors: chunk.items.map((place) => `v${place}`),
  tokens: chunk.items.length,
  cost: 0.5,
  ms: 20,
  generation: "gen-1",
  spaces: ["vs_0123456789abcdef0123-2"],
  unfamiliar: [] as number[],
});

describe("a run", () => {
  it("says what failed in the order of the items, whichever answer came first", async () => {
    const { last } = await run(items(512), async (chunk) => {
      // The second call of two at a time is refused before the first.
      if (chunk.items.includes(0)) await new Promise((resolve) => setTimeout(resolve, 5));
      return chunk.items.some((place) => [3, 300].includes(place)) ? refusal(400) : await good(chunk);
    });
    expect(last()?.failures.map(([place]) => place)).toEqual([3, 300]);
  });

  it("puts every vector at all of its places and adds up what it cost", async () => {
    const { kept, last } = await run([...items(300), item("text 7")], good);
    expect([kept.size, kept.get(300)]).toEqual([301, "v7"]);
    expect(last()).toMatchObject({ state: "done", done: 301, tokens: 300, cost: 1, failures: [] });
  });

  it("knows which rows, copies among them, the model does not know the language of, and each vector space once", async () => {
    const unfamiliar = (chunk: Chunk) => [...chunk.items.entries()].flatMap(([at, place]) => (place === 1 ? [at] : []));
    const spaces = (call: number) => (call === 2 ? ["vs_b-2", "vs_a-2"] : ["vs_a-2"]);
    const { last } = await run([...items(600), item("text 1")], async (chunk, call) => {
      return { ...(await good(chunk)), unfamiliar: unfamiliar(chunk), spaces: spaces(call) };
    });
    expect(last()).toMatchObject({ unfamiliar: [1, 600], spaces: ["vs_a-2", "vs_b-2"] });
  });

  it("waits and tries again what passes, as long as it was asked to", async () => {
    const refusals = [refusal(529), refusal(429, { retryAfterMs: 7_000 })];
    const { waits, last } = await run(items(1), async (chunk) => refusals.shift() ?? good(chunk));
    expect(waits).toEqual([1_000, 7_000]);
    expect(last()).toMatchObject({ state: "done", done: 1 });
  });

  it.each([
    [300, 524, 0.25, 2, { state: "done", done: 0, cost: 0.5 }],
    [1, 529, 0.25, 1, {}],
    [40, 400, 0.25, 1, {}],
    [1, 524, null, 1, { cost: null, failures: [[0, { status: 524 }]] }],
  ])("of %d rows repeats nothing by itself that may be billed: %d at %j", async (count, status, cost, sent, told) => {
    const { calls, last } = await run(items(count), async () => refusal(status, { cost }));
    expect(calls()).toBe(sent);
    expect(last()).toMatchObject(told);
  });

  it("says until when it waits: of several calls, the one that goes on first, and nothing once none waits", async () => {
    let time = 1_000_000;
    const ends: (() => void)[] = [];
    const seconds = [30, 5];
    const answer: Answer = async (chunk) => {
      const wait = seconds.shift();
      return wait === undefined ? good(chunk) : refusal(429, { retryAfterMs: wait * 1_000 });
    };
    const wait = (ms: number) => {
      return new Promise<void>((resolve) => ends.push(() => resolve(void (time += ms))));
    };
    const { last, over } = begin(items(512), answer, { wait, now: () => time });
    await expect.poll(() => ends).toHaveLength(2);
    expect(last()?.waiting?.until).toBe(1_005_000);
    ends[1]?.();
    await expect.poll(() => last()?.waiting?.until).toBe(1_030_000);
    ends[0]?.();
    await over;
    expect(last()).toMatchObject({ state: "done", done: 512, waiting: null });
  });

  it.each([
    ["is named", (chunk: Chunk) => ({ at: chunk.items.indexOf(13) })],
    ["is not named, by halving the call", () => ({})],
  ])("leaves out the one text at fault where it %s", async (_, more) => {
    const answer: Answer = async (chunk) => (chunk.items.includes(13) ? refusal(400, more(chunk)) : good(chunk));
    const { last } = await run(items(40), answer);
    expect(last()).toMatchObject({ state: "done", done: 39, failures: [[13, { status: 400 }]] });
  });

  it("sends what a retry cannot change no second time, and what it can once more", async () => {
    const sent: number[] = [];
    let broke = true;
    const { batch, last } = await run(items(40), async (chunk) => {
      sent.push(...chunk.items);
      if (chunk.items.includes(13)) return refusal(400, { at: chunk.items.indexOf(13) });
      return broke ? refusal(524) : good(chunk);
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
    const { batch, last } = await run(items(600), async (chunk) => (broke ? refusal(402) : good(chunk)));
    expect(last()).toMatchObject({ state: "stopped", done: 0, failures: { length: 600 } });
    broke = false;
    batch.retry();
    await expect.poll(() => last()?.state).toBe("done");
    expect(last()).toMatchObject({ done: 600, failures: [] });
  });

  it.each(["credentials", "payment"])(
    "asks once where the provider refuses for %s, whatever the status",
    async (reason) => {
      const { calls, waits, last } = await run(items(600), async () => refusal(502, { reason }));
      // the calls that were in flight already
      expect([waits, calls()]).toEqual([[], 3]);
      expect(last()).toMatchObject({ state: "stopped", failures: { length: 600 } });
    },
  );

  it("stops, and says why, where the vectors find no room", async () => {
    const keep = () => {
      throw new Error("no room");
    };
    const { last } = await run(items(300), good, { keep });
    expect(last()?.failures).toHaveLength(300);
    expect(last()?.failures[0]).toMatchObject([0, { status: 0, reason: "memory", message: "no room" }]);
    // the calls were answered, and so they were paid
    expect(last()).toMatchObject({ state: "stopped", done: 0, cost: 1 });
  });

  it("makes nothing more once cancelled, and only what is left when retried", async () => {
    const gate = Promise.withResolvers<void>();
    const { batch, calls, last } = begin(items(256 * 5), async (chunk, _, signal) => {
      if (chunk.items[0] !== 0) await gate.promise;
      return signal.aborted ? refusal(0) : good(chunk);
    });
    await expect.poll(() => last()?.done).toBe(256);
    batch.cancel();
    gate.resolve();
    expect(last()).toMatchObject({ state: "cancelled", done: 256 });
    const before = calls();
    batch.retry();
    await expect.poll(() => last()?.state).toBe("done");
    expect(last()).toMatchObject({ done: 1_280, failures: [] });
    expect(calls() - before).toBe(4);
  });

  it("holds the next call back while it is paused", async () => {
    const gates: (() => void)[] = [];
    const { batch, last } = begin(items(256 * 4), async (chunk) => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return good(chunk);
    });
    batch.pause();
    for (const open of gates) open();
    await expect.poll(() => last()?.done).toBe(768);
    expect(gates).toHaveLength(3);
    expect(last()?.state).toBe("paused");
    batch.resume();
    expect(gates).toHaveLength(4);
    gates[3]?.();
    await expect.poll(() => last()?.state).toBe("done");
  });
});
