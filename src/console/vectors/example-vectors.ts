import type { Clusters, Points, StoredExample, StoredPicture } from "./protocol.ts";
import { makeTable, type VectorTable } from "./vectors.ts";

export function pictureOf({ points, groups }: StoredPicture): { points: Points; clusters: Clusters } {
  const rows = Int32Array.from(groups.of.keys());
  return {
    points: { rows, points: Float32Array.from(points) },
    clusters: { ...groups, of: Uint8Array.from(groups.of) },
  };
}

/** The vectors at unit length; a byte a number changes cosines by less than 0.001. @throws TypeError for other lengths */
export function decodeExample({ dimensions, texts, vectors }: Omit<StoredExample, "picture">): VectorTable {
  const bytes = Int8Array.from(atob(vectors), (char) => char.charCodeAt(0));
  if (bytes.length !== texts.length * dimensions) throw new TypeError("The example's vectors are not whole.");
  const table = makeTable(texts.length, dimensions);
  table.present.fill(1);
  for (let from = 0; from < bytes.length; from += dimensions) {
    const row = bytes.subarray(from, from + dimensions);
    const length = Math.hypot(...row) || 1;
    table.data.set(
      Float32Array.from(row, (value) => value / length),
      from,
    );
  }
  return table;
}
