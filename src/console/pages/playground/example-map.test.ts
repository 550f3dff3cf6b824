import { expect, it } from "vitest";
import { chooseCount, clusters } from "../../vectors/clusters.ts";
import { decodeExample, pictureOf } from "../../vectors/example-vectors.ts";
import type { StoredExample } from "../../vectors/protocol.ts";
import { groupNames } from "../../vectors/group-names.ts";
import { shuffledSilhouette } from "../../vectors/shuffled-groups.ts";
import { similarities } from "../../vectors/similarity.ts";
import { trustworthiness } from "../../vectors/trustworthiness.ts";
import { umapPoints } from "../../vectors/umap-points.ts";
import { viewOf } from "../../vectors/vectors.ts";
import stored from "./example-map.json" with { type: "json" };

const example: StoredExample = stored;

it("the example map has six islands, one for each topic, and can be trusted", async () => {
  const view = viewOf(decodeExample(example));
  expect(view.rows).toHaveLength(120);
  // the topics follow one another in the file, twenty sentences each
  const best = await chooseCount(view, 8, async () => undefined);
  expect(best?.count).toBe(6);
  expect(best?.silhouette).toBeGreaterThan(0.3);
  const { of, sizes, typical, fit } = clusters(view, 6, 8);
  expect(sizes).toEqual([20, 20, 20, 20, 20, 20]);
  for (let first = 0; first < 120; first += 20) expect(new Set(of.subarray(first, first + 20)).size).toBe(1);
  const names = groupNames(view.rows, of, 6, (row) => example.texts[row] ?? "");
  const topics = ["kitchen", "defender", "dollars", "infection", "astronauts", "database"];
  for (const [topic, word] of topics.entries()) expect(names[of[topic * 20] ?? 0]).toContain(word);
  const stored = pictureOf(example.picture);
  expect(stored.clusters).toEqual({
    of,
    sizes,
    names,
    typical,
    best: best && { ...best, shuffled: shuffledSilhouette(view, 6, 120, 8) },
    fit,
  });
  const drawn = await umapPoints(view, 8, { draw: () => undefined, stopped: () => false });
  for (const points of [drawn, stored.points.points])
    expect(trustworthiness(similarities(view, view.rows), points, 10)).toBeGreaterThanOrEqual(0.9);
});

it("an example whose vectors are cut is refused", () =>
  expect(() => decodeExample({ ...example, vectors: example.vectors.slice(0, 400) })).toThrow("not whole"));
