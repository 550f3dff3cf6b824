import { pointOf } from "../../vectors/plane.ts";
import type { Points } from "../../vectors/protocol.ts";

export interface Size {
  width: number;
  height: number;
}

/** How far the picture was dragged, and how much it is enlarged around its middle. */
export interface Moved {
  x: number;
  y: number;
  zoom: number;
}

export const unmoved: Moved = { x: 0, y: 0, zoom: 1 };
const margin = 34;
/** Of a large picture, room for the toolbar that lies over it. */
const highMargin = (height: number) => (height > 500 ? 56 : margin);

/** Each point's position on the screen, x and y in turn; and the position of the projection's origin. */
export function positionsOf(
  { points }: Points,
  size: Size,
  moved: Moved,
): { positions: Float32Array; zero: [number, number] } {
  const { width, height } = size;
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  const count = points.length / 2;
  for (let at = 0; at < count; at += 1) {
    const [x, y] = pointOf(points, at);
    left = Math.min(left, x);
    right = Math.max(right, x);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  const fit = Math.min(
    (width - 2 * margin) / (right - left || 1),
    (height - 2 * highMargin(height)) / (high - low || 1),
  );
  const scale = Math.max(0, fit) * moved.zoom;
  const x0 = width / 2 + moved.x - ((left + right) / 2) * scale;
  const y0 = height / 2 + moved.y + ((low + high) / 2) * scale;
  const positions = new Float32Array(points.length);
  for (let at = 0; at < count; at += 1) {
    const [x, y] = pointOf(points, at);
    positions[2 * at] = x0 + x * scale;
    positions[2 * at + 1] = y0 - y * scale;
  }
  return { positions, zero: [x0, y0] };
}

/** The point nearest to a place on the screen, within reach of a finger; -1 where there is none. */
export function pointAt(positions: Float32Array, x: number, y: number, reach = 12): number {
  let [best, least] = [-1, reach ** 2];
  for (let at = 0; 2 * at < positions.length; at += 1) {
    const [pointX, pointY] = pointOf(positions, at);
    const far = (pointX - x) ** 2 + (pointY - y) ** 2;
    if (far < least) [best, least] = [at, far];
  }
  return best;
}

/** The closest point within 45 degrees of a direction (y downwards); the same one where there is none. */
export function nextThatWay(positions: Float32Array, from: number, [dx, dy]: readonly [number, number]): number {
  let [best, least] = [from, Infinity];
  const [fromX, fromY] = pointOf(positions, from);
  for (let at = 0; 2 * at < positions.length; at += 1) {
    const [pointX, pointY] = pointOf(positions, at);
    const [x, y] = [pointX - fromX, pointY - fromY];
    const along = x * dx + y * dy;
    const far = Math.hypot(x, y);
    if (along > 0 && along >= far * 0.7 && far < least) [best, least] = [at, far];
  }
  return best;
}

/** A row that answers a question, as a point of the picture, with its cosine. */
export interface Hit {
  at: number;
  score: number;
}

/** So many of the nearest say where a question lies, and are joined with it. */
const mostJoined = 5;

/** The nearest to a question that are joined with it: no row that points the other way. */
export function joined(hits: readonly Hit[]): readonly Hit[] {
  return hits.slice(0, mostJoined).filter(({ score }) => score > 0);
}

/**
 * Where a question, which is no point of the picture, is drawn: in the middle of its five nearest rows, each weighted by
 * its cosine. Null where it is like no row.
 */
export function questionPosition(positions: Float32Array, hits: readonly Hit[]): [x: number, y: number] | null {
  let [x, y, weights] = [0, 0, 0];
  for (const { at, score } of joined(hits)) {
    const [pointX, pointY] = pointOf(positions, at);
    x += score * pointX;
    y += score * pointY;
    weights += score;
  }
  return weights === 0 ? null : [x / weights, y / weights];
}

/** The points inside of a closed line, x and y in turn, by the even-odd rule. */
export function pointsWithin(positions: Float32Array, outline: readonly number[]): number[] {
  const corners = Array.from({ length: outline.length / 2 }, (_, at) => [
    outline[2 * at] ?? 0,
    outline[2 * at + 1] ?? 0,
  ]);
  const edges = corners.map(([ax = 0, ay = 0], at) => {
    const [bx = 0, by = 0] = corners.at(at - 1) ?? [];
    return { ax, ay, bx, by };
  });
  return Array.from({ length: positions.length / 2 }, (_, at) => at).filter((at) => {
    const [x, y] = pointOf(positions, at);
    const crossed = edges.filter(
      ({ ax, ay, bx, by }) => ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax,
    );
    return crossed.length % 2 === 1;
  });
}

/** How many of `near` are also among as many nearest in the picture. */
export function nearInPicture(positions: Float32Array, own: number, near: readonly number[]): number {
  const [ownX, ownY] = pointOf(positions, own);
  const apart = (at: number) => {
    const [x, y] = pointOf(positions, at);
    return (x - ownX) ** 2 + (y - ownY) ** 2;
  };
  const order = Array.from({ length: positions.length / 2 }, (_, at) => at).filter((at) => at !== own);
  const shown = new Set(order.toSorted((a, b) => apart(a) - apart(b)).slice(0, near.length));
  return near.filter((at) => shown.has(at)).length;
}
