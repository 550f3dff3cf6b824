/** The point at a position of a list that holds x and y in turn. */
export function pointOf(points: Float32Array, at: number): [x: number, y: number] {
  return [points[2 * at] ?? 0, points[2 * at + 1] ?? 0];
}
