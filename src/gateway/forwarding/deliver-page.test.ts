import { describe, expect, it } from "vitest";
import { nextBatch } from "./deliver-page.ts";

type Steps = Parameters<typeof nextBatch>[0];
/** Steps with these sizes; null: the event is not forwarded. */
const stepsOf = (...sizes: readonly (number | null)[]) =>
  sizes.map((size) => ({
    row: {},
    size: size ?? 1,
    decision: size === null ? { outcome: "unsampled" } : { outcome: "forwarded", event: {} },
  })) as unknown as Steps;

describe("the events of one request", () => {
  const most = { events: 3, bytes: 100 };
  it.each([
    ["no more bytes than the destination takes", stepsOf(40, 60, 1), 0, [0, 1], 2],
    ["no more events than it takes", stepsOf(1, 1, 1, 1), 0, [0, 1, 2], 3],
    ["one that is too large by itself", stepsOf(500, 1), 0, [0], 1],
    ["those that come next", stepsOf(90, 90, 5, 90), 1, [1, 2], 3],
    ["none that are not forwarded", stepsOf(null, 60, null, 40, 1), 0, [1, 3], 4],
  ])("are %s", (_, steps, from, taken, end) => {
    const next = nextBatch(steps, from, most);
    expect([next.batch.map(({ index }) => index), next.end]).toEqual([taken, end]);
  });
});
