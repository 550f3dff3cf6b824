import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffMs } from "./backoff.ts";
import { type Failure, bisect, type Outcome } from "./bisect.ts";

const failure = (outcome: Failure["outcome"]): Failure => ({
  outcome,
  message: outcome,
  status: 400,
  body: null,
  afterMs: null,
});

/** A sink that takes everything but what holds one of these. */
function sinkWithout(bad: ReadonlySet<number>, outcome: Failure["outcome"] = "rejected") {
  const taken: number[] = [];
  return {
    taken,
    attempt: async (events: readonly number[]): Promise<Outcome> => {
      if (events.some((event) => bad.has(event))) return failure(outcome);
      taken.push(...events);
      return { outcome: "accepted" };
    },
  };
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("bisect", () => {
  it("delivers all but the rejected events, each once and in order, wherever they are", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 60 }),
        fc.uniqueArray(fc.nat(59), { maxLength: 5 }),
        fc.constantFrom("rejected" as const, "errored" as const),
        async (count, bad, outcome) => {
          const poison = new Set(bad.filter((event) => event < count));
          if (poison.size === count) return;
          const sink = sinkWithout(poison, outcome);
          const found = await bisect(range(count), sink.attempt, { giveUpAlone: false, mostInARow: 6 });
          expect(sink.taken).toEqual(range(count).filter((event) => !poison.has(event)));
          // One that stands at the very end may have no event after it that proves that the sink works.
          const given = new Set(found.givenUp.map(({ event }) => event));
          expect([...given].every((event) => poison.has(event))).toBe(true);
          for (const event of range(found.done)) expect(poison.has(event)).toBe(given.has(event));
          expect(found.failure === null).toBe(found.done === count);
        },
      ),
    );
  });

  it("gives nothing up at a sink that takes nothing, and stops asking soon", async () => {
    let asked = 0;
    const found = await bisect(
      range(512),
      async () => {
        asked += 1;
        return failure("rejected");
      },
      { giveUpAlone: false, mostInARow: 6 },
    );
    expect(found).toMatchObject({ done: 0, givenUp: [] });
    expect(asked).toBeLessThan(32);
  });

  it("passes a run of rejected events that is no longer than it was told to look for", async () => {
    const poison = new Set(range(8));
    const stopped = await bisect(range(20), sinkWithout(poison).attempt, { giveUpAlone: false, mostInARow: 6 });
    expect(stopped).toMatchObject({ done: 0, givenUp: [], failure: { outcome: "rejected" } });
    const sink = sinkWithout(poison);
    const found = await bisect(range(20), sink.attempt, { giveUpAlone: false, mostInARow: 12 });
    expect(found).toMatchObject({ done: 20, failure: null });
    expect(found.givenUp.map(({ event }) => event)).toEqual(range(8));
    expect(sink.taken).toEqual(range(20).slice(8));
  });

  it("lets nothing of a session pass a call of it that fails for a moment", async () => {
    const sessions = ["a", "a", "b", "a", "b"];
    const taken: number[] = [];
    let failures = 4;
    const found = await bisect(
      range(5),
      async (events) => {
        if (events.includes(0) && failures > 0) {
          failures -= 1;
          return failure("errored");
        }
        taken.push(...events);
        return { outcome: "accepted" };
      },
      { giveUpAlone: false, mostInARow: 6, sessionOf: (event) => sessions[event] ?? null },
    );
    expect(found).toMatchObject({ done: 5, givenUp: [], failure: null });
    for (const session of ["a", "b"]) {
      const own = taken.filter((event) => sessions[event] === session);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
  });

  it("stops where the sink becomes unavailable, and knows how far it came", async () => {
    const found = await bisect(
      range(8),
      async (events) => {
        if (events.length > 2) return failure("too_large");
        return (events[0] ?? 0) < 4 ? { outcome: "accepted" } : failure("unavailable");
      },
      { giveUpAlone: false, mostInARow: 6 },
    );
    expect(found).toMatchObject({ done: 4, givenUp: [], failure: { outcome: "unavailable" } });
  });

  it("gives up an event that alone is too large, and a lone rejected one where that is allowed", async () => {
    const large = sinkWithout(new Set([2]), "too_large");
    expect((await bisect(range(4), large.attempt, { giveUpAlone: false, mostInARow: 6 })).givenUp).toMatchObject([
      { event: 2 },
    ]);
    expect(large.taken).toEqual([0, 1, 3]);
    const alone = sinkWithout(new Set([0]));
    expect((await bisect([0], alone.attempt, { giveUpAlone: false, mostInARow: 6 })).done).toBe(0);
    expect((await bisect([0], alone.attempt, { giveUpAlone: true, mostInARow: 6 })).givenUp).toMatchObject([
      { event: 0 },
    ]);
  });
});

describe("backoffMs", () => {
  it("doubles from half a second to ten seconds, with jitter, and waits as long as it was asked to", () => {
    expect([1, 2, 3, 8, 100].map((attempt) => backoffMs(attempt, null, 1))).toEqual([
      500, 1_000, 2_000, 10_000, 10_000,
    ]);
    expect(backoffMs(3, null, 0)).toBe(1_000);
    expect(backoffMs(1, 7_000, 0.5)).toBe(7_000);
    expect(backoffMs(8, 7_000, 0)).toBe(7_000);
  });
});
