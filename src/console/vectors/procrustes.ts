import { pointOf } from "./plane.ts";

/**
 * Moves, turns, mirrors and scales one picture so that it lies on another as well as it can (orthogonal Procrustes, in
 * closed form for the plane). Both hold x and y of the same points, in the same order.
 */
export function align(points: Float32Array, onto: Float32Array): Float32Array {
  const from = centered(points);
  const to = centered(onto);
  let [xx, xy, yx, yy, size] = [0, 0, 0, 0, 0];
  for (let i = 0; 2 * i < points.length; i += 1) {
    const [px, py] = from.pointAt(i);
    const [qx, qy] = to.pointAt(i);
    xx += px * qx;
    xy += px * qy;
    yx += py * qx;
    yy += py * qy;
    size += px * px + py * py;
  }
  const turned = Math.hypot(xx + yy, xy - yx);
  const mirrored = Math.hypot(xx - yy, xy + yx);
  const flip = mirrored > turned ? -1 : 1;
  const angle = flip === 1 ? Math.atan2(xy - yx, xx + yy) : Math.atan2(xy + yx, xx - yy);
  const scale = size === 0 ? 0 : Math.max(turned, mirrored) / size;
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const moved = new Float32Array(points.length);
  for (let i = 0; 2 * i < points.length; i += 1) {
    const [px, y] = from.pointAt(i);
    const py = y * flip;
    moved[2 * i] = cos * px - sin * py + to.x;
    moved[2 * i + 1] = sin * px + cos * py + to.y;
  }
  return moved;
}

/** The middle of all points, and each point as seen from there. */
function centered(points: Float32Array) {
  const count = Math.max(1, points.length / 2);
  let [x, y] = [0, 0];
  for (let i = 0; 2 * i < points.length; i += 1) {
    const [px, py] = pointOf(points, i);
    x += px;
    y += py;
  }
  const middle = { x: x / count, y: y / count };
  return {
    ...middle,
    pointAt(i: number): [number, number] {
      const [px, py] = pointOf(points, i);
      return [px - middle.x, py - middle.y];
    },
  };
}
