import { expect, it } from "vitest";
import {
  joined,
  nearInPicture,
  nextThatWay,
  pointAt,
  pointsWithin,
  positionsOf,
  questionPosition,
  unmoved,
} from "./map-positions.ts";

// a square with its middle, y upwards as in the picture
const square = { rows: Int32Array.of(0, 1, 2, 3, 4), points: Float32Array.of(-1, -1, 1, -1, 1, 1, -1, 1, 0, 0) };
const size = { width: 268, height: 268 };
const { positions, zero } = positionsOf(square, size, unmoved);

it("positions fill the picture but for its margin, y downwards, grow around the middle and follow the drag", () => {
  expect([...positions]).toEqual([34, 234, 234, 234, 234, 34, 34, 34, 134, 134]);
  expect(zero).toEqual([134, 134]);
  expect([...positionsOf(square, size, { x: 10, y: -5, zoom: 2 }).positions].slice(0, 2)).toEqual([-56, 329]);
});

it("the point under the pointer is found, and none far from all, and those inside of a drawn line", () => {
  expect([pointAt(positions, 130, 140), pointAt(positions, 80, 134)]).toEqual([4, -1]);
  expect(pointsWithin(positions, [0, 100, 200, 100, 200, 260, 0, 260])).toEqual([0, 4]);
});

it.each([
  // both corners at the right are just within 45 degrees: the first of them
  [4, [1, 0], 1],
  [0, [0, -1], 4],
  [0, [1, 0], 4],
  [2, [-1, 0], 4],
  // there is none that way
  [0, [-1, 0], 0],
] as const)("from %d the nearest to %j is %d", (from, way, to) => expect(nextThatWay(positions, from, way)).toBe(to));

it("tells how many true neighbours the picture keeps", () => {
  // the two nearest to corner 0 in the picture are the middle and one of the corners beside it
  expect([nearInPicture(positions, 0, [4, 2]), nearInPicture(positions, 0, [4])]).toEqual([1, 1]);
});

const hit = (at: number, score: number) => ({ at, score });
it.each([
  ["the middle of its nearest rows", [hit(0, 0.5), hit(1, 0.5)], [134, 234]],
  ["closer to what is more alike", [hit(0, 0.75), hit(1, 0.25)], [84, 234]],
  ["found from none that points the other way", [hit(4, 0.2), hit(0, -0.1)], [134, 134]],
  ["none where all point the other way", [hit(0, 0), hit(1, -0.3)], null],
  ["none without rows", [], null],
])("a question's place is %s", (_, hits, place) => {
  expect(questionPosition(positions, hits)).toEqual(place);
  expect(joined([0, 1, 2, 3, 4, 0].map((at) => hit(at, 0.4)))).toHaveLength(5);
});
