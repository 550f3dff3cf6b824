import { afterAll, describe, expect, it } from "vitest";
import { type Heavier, Paces } from "./pace.ts";
import { createFilterThreads } from "./threads.ts";

describe("filters of one workspace", () => {
  const threads = createFilterThreads();
  afterAll(async () => await threads.close());

  const filtersOf = (pattern: string) => ({
    patterns: [{ pattern, action: "block" as const, label: null }],
    builtins: [],
  });
  const ask = (filters: ReturnType<typeof filtersOf>, text: string, owner: string) =>
    threads.filter({
      filters,
      form: "chat",
      body: Buffer.from(JSON.stringify({ messages: [{ role: "user", content: text }] })),
      owner,
      signal: new AbortController().signal,
    });

  it("hold up neither the calls nor the changes of another one", async () => {
    const slow = [1, 2].map((n) => filtersOf(String.raw`\pL{1,1000}\d{${n}}`));
    const long = "a".repeat(240_000);
    let done = 0;
    const asked = slow.flatMap((filters, n) =>
      [1, 2].map(() => ask(filters, long, `slow ${n}`).finally(() => (done += 1))),
    );
    const ended = Promise.allSettled(asked);
    const plain = filtersOf("falcon");
    for (const text of ["a falcon", long, "a falcon"]) {
      expect((await ask(plain, text, "plain")).kind).toBe(text === long ? "passed" : "blocked");
    }
    expect(await threads.check(["(a"], "an admin")).toMatchObject({ index: 0 });
    expect(done).toBe(0);
    await threads.close();
    await ended;
  });
});

it.each<[weight: Heavier, bytes: number, expected: readonly (readonly [bytes: number, weight: number])[]]>([
  [
    1,
    15_000,
    [
      [200, 0],
      [15_000, 1],
      [240_000, 1],
    ],
  ],
  [
    2,
    15_000,
    [
      [200, 0],
      [15_000, 2],
      [240_000, 2],
    ],
  ],
  [
    2,
    240_000,
    [
      [200, 0],
      [240_000, 2],
    ],
  ],
])("what turned out to be of weight %i says so of others before it is done, of %i bytes", (weight, bytes, expected) => {
  const paces = new Paces();
  const filters = { patterns: [], builtins: [] };
  paces.addUnfinished(filters, weight, bytes);
  expect(expected.map(([length]) => [length, paces.weightOf(filters, length)])).toEqual(expected);
});
