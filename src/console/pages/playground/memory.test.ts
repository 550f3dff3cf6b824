import { describe, expect, it } from "vitest";
import { megabytes, roomFor } from "./memory.ts";
import type { Run } from "./playground.ts";

const run = (id: number, rows: number, dimensions: number | null) =>
  ({ id, items: Array.from({ length: rows }), dimensions }) as unknown as Run;

describe("room for vectors", () => {
  it("is asked for before anything is sent, and made by the oldest runs, as few as it takes", () => {
    const held = [run(3, 10, null), run(2, 10_000, 3_072), run(1, 10_000, 3_072)];
    const room = roomFor(10_000, 3_072, held);
    expect(megabytes(room.needed)).toBe("118 MB");
    expect(megabytes(room.free)).toBe("22 MB");
    expect(room.letGo?.map(({ id }) => id)).toEqual([1]);
    expect(roomFor(1_000, 1_536, held).letGo).toEqual([]);
  });

  it("is not to be had for what is more than there is", () =>
    expect(roomFor(30_000, 3_072, [run(1, 10, 64)]).letGo).toBeNull());
});
