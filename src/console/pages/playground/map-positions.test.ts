import { describe, expect, it } from "vitest";
import {
  joined,
  nearInPicture,
  nextThatWay,
  questionPosition,
  positionsOf,
  pointAt,
  pointsWithin,
  unmoved,
} from "./map-positions.ts";

// a square with its middle, y upwards as in the picture
const square = { rows: Int32Array.of(0, 1, 2, 3, 4), points: Float32Array.of(-1, -1, 1, -1, 1, 1, -1, 1, 0, 0) };
const size = { width: 268, height: 268 };
const { positions, zero } = positionsOf(square, size, unmoved);

describe("a map's positions", () => {
  it("fill the picture but for its margin, y downwards", () => {
    expect([...positions]).toEqual([34, 234, 234, 234, 234, 34, 34, 34, 134, 134]);
    expect(zero).toEqual([134, 134]);
  });

  it("grow around the middle and follow the drag", () =>
    expect([...positionsOf(square, size, { x: 10, y: -5, zoom: 2 }).positions].slice(0, 2)).toEqual([-56, 329]));

  it("find the point under the pointer, and none far from all", () => {
    expect(pointAt(positions, 130, 140)).toBe(4);
    expect(pointAt(positions, 80, 134)).toBe(-1);
  });

  it("go to the nearest point in a direction, and stay where there is none", () => {
    // both corners at the right are just within 45 degrees: the first of them
    expect(nextThatWay(positions, 4, [1, 0])).toBe(1);
    expect(nextThatWay(positions, 0, [0, -1])).toBe(4);
    expect(nextThatWay(positions, 0, [1, 0])).toBe(4);
    expect(nextThatWay(positions, 2, [-1, 0])).toBe(4);
    expect(nextThatWay(positions, 0, [-1, 0])).toBe(0);
  });

  it("are inside of a drawn line or not", () =>
    expect(pointsWithin(positions, [0, 100, 200, 100, 200, 260, 0, 260])).toEqual([0, 4]));

  it("tell how many true neighbours the picture keeps", () => {
    // the two nearest to corner 0 in the picture are the middle and one of the corners beside it
    expect(nearInPicture(positions, 0, [4, 2])).toBe(1);
    expect(nearInPicture(positions, 0, [4])).toBe(1);
  });
});

describe("a question's place", () => {
  const hit = (at: number, score: number) => ({ at, score });

  it("is the middle of its nearest rows, the more alike the closer", () => {
    expect(questionPosition(positions, [hit(0, 0.5), hit(1, 0.5)])).toEqual([134, 234]);
    expect(questionPosition(positions, [hit(0, 0.75), hit(1, 0.25)])).toEqual([84, 234]);
  });

  it("is found from five rows at most, and from none that points the other way", () => {
    const hits = [0, 1, 2, 3, 4, 0].map((at) => hit(at, 0.4));
    expect(joined(hits)).toHaveLength(5);
    expect(questionPosition(positions, [hit(4, 0.2), hit(0, -0.1)])).toEqual([134, 134]);
    expect(questionPosition(positions, [hit(0, 0), hit(1, -0.3)])).toBeNull();
    expect(questionPosition(positions, [])).toBeNull();
  });
});
