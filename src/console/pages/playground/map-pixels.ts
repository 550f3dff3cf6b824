import { pointOf } from "../../vectors/plane.ts";

/** A picture of four bytes a pixel, as a canvas takes it. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/**
 * Puts a small picture at each of many positions of an opaque one. A canvas takes a few microseconds for each small picture
 * it draws, which ten thousand in every frame of a drag are too many for; this takes a tenth of that.
 * @param positions the middles, x and y in turn, in pixels; drawn in `order`
 * @param stampOf null leaves the place out
 */
export function stampPoints(
  target: Pixels,
  positions: Float32Array,
  stampOf: (at: number) => Pixels | null,
  { ratio, alpha, order }: { ratio: number; alpha: number; order: Uint32Array },
): void {
  const { data: to, width, height } = target;
  const share = alpha / 255;
  for (const at of order) {
    const stamp = stampOf(at);
    if (!stamp) continue;
    const [middleX, middleY] = pointOf(positions, at);
    const left = Math.round(middleX * ratio - stamp.width / 2);
    const top = Math.round(middleY * ratio - stamp.height / 2);
    const fromX = Math.max(0, -left);
    const toX = Math.min(stamp.width, width - left);
    const fromY = Math.max(0, -top);
    const toY = Math.min(stamp.height, height - top);
    for (let y = fromY; y < toY; y += 1) {
      let i = (y * stamp.width + fromX) * 4;
      let j = ((top + y) * width + left + fromX) * 4;
      for (let x = fromX; x < toX; x += 1, i += 4, j += 4) {
        const cover = (stamp.data[i + 3] ?? 0) * share;
        if (cover === 0) continue;
        for (let channel = 0; channel < 3; channel += 1) {
          const under = to[j + channel] ?? 0;
          to[j + channel] = under + ((stamp.data[i + channel] ?? 0) - under) * cover;
        }
      }
    }
  }
}
