import { makeRandom } from "../../vectors/random.ts";

let last = new Uint32Array();

/**
 * An order in which points are drawn: mixed, so that where they lie on one another no label covers the others for coming
 * last in the table. The same for the same number of points, so that nothing flickers.
 */
export function mixedOrder(count: number): Uint32Array {
  if (last.length === count) return last;
  const random = makeRandom(count);
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  last = order;
  return order;
}

/** The opacity of points that are not dimmed: of many, places where they lie on one another show as denser. */
export const opacityOf = (count: number): number => (count > 20_000 ? 0.5 : count > 5_000 ? 0.65 : 0.8);
