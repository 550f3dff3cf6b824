import { expect, it } from "vitest";
import { stampPoints } from "./map-pixels.ts";

const black = (width: number, height: number) => {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return { data, width, height };
};
/** two by two: one pixel half covered, the others full */
const stamp = {
  data: Uint8ClampedArray.of(200, 100, 0, 128, 200, 100, 0, 255, 200, 100, 0, 255, 200, 100, 0, 255),
  width: 2,
  height: 2,
};
const reds = ({ data, width, height }: ReturnType<typeof black>) =>
  Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => data[(y * width + x) * 4]));

it("covers what is under a stamp by as much as the stamp says, at the place's middle", () => {
  const target = black(4, 3);
  stampPoints(target, Float32Array.of(1, 0.5), () => stamp, { ratio: 2, alpha: 1 });
  expect(reds(target)).toEqual([
    [0, 100, 200, 0],
    [0, 200, 200, 0],
    [0, 0, 0, 0],
  ]);
  expect([...target.data.subarray(8, 12)]).toEqual([200, 100, 0, 255]);
});

it("cuts stamps at the edges, leaves some out, and thins them", () => {
  const target = black(3, 3);
  const positions = Float32Array.of(0, 0, 3, 3, 1.5, 1.5, -9, 1, 1, 40);
  stampPoints(target, positions, (at) => (at === 2 ? null : stamp), { ratio: 1, alpha: 0.5 });
  expect(reds(target)).toEqual([
    [100, 0, 0],
    [0, 0, 0],
    [0, 0, 50],
  ]);
});
