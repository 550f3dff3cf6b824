/** The point at a position of a list that holds x and y in turn. */
export function pointOf(points: Float32Array, at: number): [x: number, y: number] {
  return [points[2 * at] ?? 0, points[2 * at + 1] ?? 0];
}

/** How many different places the points take: equal vectors lie exactly on one another. */
export function countPlaces(points: Float32Array): number {
  const columns = new Map<number, Set<number>>();
  let places = 0;
  for (let at = 0; at < points.length / 2; at += 1) {
    const [x, y] = pointOf(points, at);
    const column = columns.get(x) ?? new Set();
    if (!column.has(y)) places += 1;
    columns.set(x, column.add(y));
  }
  return places;
}
