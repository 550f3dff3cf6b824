import type { Clusters, Points } from "./protocol.ts";
import { makeTable, type VectorTable } from "./vectors.ts";

/** Texts with vectors that were made beforehand, as they are shipped, and the picture of them. */
export interface StoredExample {
  model: string;
  dimensions: number;
  texts: readonly string[];
  /** base64 of one signed byte a number, row after row, each row on a scale of its own */
  vectors: string;
  picture: StoredPicture;
}

/** As the worker draws these vectors: it takes seconds, and is always the same. */
export interface StoredPicture {
  /** x and y of each row's place in the UMAP layout */
  points: readonly number[];
  /** the groups that fit best; of each row, which one it is in */
  groups: Omit<Clusters, "of"> & { of: readonly number[] };
}

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
