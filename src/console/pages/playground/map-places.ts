import type { Points } from "./protocol.ts";

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

/** Where each point stands on the screen, x and y in turn; and where the picture's own zero is. */
export function placesOf(
  { points }: Points,
  size: Size,
  moved: Moved,
): { places: Float32Array; zero: [number, number] } {
  const { width, height } = size;
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    left = Math.min(left, points[i]!);
    right = Math.max(right, points[i]!);
    low = Math.min(low, points[i + 1]!);
    high = Math.max(high, points[i + 1]!);
  }
  const fit = Math.min((width - 2 * margin) / (right - left || 1), (height - 2 * margin) / (high - low || 1));
  const scale = Math.max(0, fit) * moved.zoom;
  const x0 = width / 2 + moved.x - ((left + right) / 2) * scale;
  const y0 = height / 2 + moved.y + ((low + high) / 2) * scale;
  const places = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    places[i] = x0 + points[i]! * scale;
    places[i + 1] = y0 - points[i + 1]! * scale;
  }
  return { places, zero: [x0, y0] };
}

export function placeOf(places: Float32Array, at: number): [number, number] {
  return [places[2 * at]!, places[2 * at + 1]!];
}

/** The point nearest to a place on the screen, within reach of a finger; -1 where there is none. */
export function pointAt(places: Float32Array, x: number, y: number): number {
  let [best, least] = [-1, 12 ** 2];
  for (let i = 0; i < places.length; i += 2) {
    const far = (places[i]! - x) ** 2 + (places[i + 1]! - y) ** 2;
    if (far < least) [best, least] = [i / 2, far];
  }
  return best;
}

/** The closest point within 45 degrees of a direction (y downwards); the same one where there is none. */
export function nextThatWay(places: Float32Array, from: number, [dx, dy]: readonly [number, number]): number {
  let [best, least] = [from, Infinity];
  for (let i = 0; i < places.length; i += 2) {
    const [x, y] = [places[i]! - places[2 * from]!, places[i + 1]! - places[2 * from + 1]!];
    const along = x * dx + y * dy;
    const far = Math.hypot(x, y);
    if (along > 0 && along >= far * 0.7 && far < least) [best, least] = [i / 2, far];
  }
  return best;
}

/** The points inside of a closed line, x and y in turn, by the even-odd rule. */
export function pointsWithin(places: Float32Array, outline: readonly number[]): number[] {
  const found: number[] = [];
  for (let i = 0; i < places.length; i += 2) {
    const [x, y] = [places[i]!, places[i + 1]!];
    let inside = false;
    for (let a = 0, b = outline.length - 2; a < outline.length; b = a, a += 2) {
      const [ax, ay, bx, by] = [outline[a]!, outline[a + 1]!, outline[b]!, outline[b + 1]!];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
    if (inside) found.push(i / 2);
  }
  return found;
}

/** How many of `near` are also among as many nearest in the picture. */
export function nearInPicture(places: Float32Array, own: number, near: readonly number[]): number {
  const apart = (at: number) =>
    (places[2 * at]! - places[2 * own]!) ** 2 + (places[2 * at + 1]! - places[2 * own + 1]!) ** 2;
  const order = Array.from({ length: places.length / 2 }, (_, at) => at).filter((at) => at !== own);
  const shown = new Set(order.toSorted((a, b) => apart(a) - apart(b)).slice(0, near.length));
  return near.filter((at) => shown.has(at)).length;
}
