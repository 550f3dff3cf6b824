import { expect, it } from "vitest";
import { chooseCount, clusters } from "../../vectors/clusters.ts";
import { decodeExample, type StoredExample } from "../../vectors/example-vectors.ts";
import { groupNames } from "../../vectors/group-names.ts";
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
  const best = await chooseCount(view, 7, async () => undefined);
  expect(best?.count).toBe(6);
  expect(best?.silhouette).toBeGreaterThan(0.3);
  const { of, sizes } = clusters(view, 6, 7);
  expect(sizes).toEqual([20, 20, 20, 20, 20, 20]);
  for (let first = 0; first < 120; first += 20) expect(new Set(of.subarray(first, first + 20)).size).toBe(1);
  const names = groupNames(view.rows, of, 6, (row) => example.texts[row] ?? "");
  const topics = ["kitchen", "defender", "dollars", "infection", "astronauts", "database"];
  for (const [topic, word] of topics.entries()) expect(names[of[topic * 20] ?? 0]).toContain(word);
  const picture = await umapPoints(view, 7, { draw: () => undefined, stopped: () => false });
  expect(trustworthiness(similarities(view, view.rows), picture, 10)).toBeGreaterThanOrEqual(0.9);
});

it("an example whose vectors are cut is refused", () => {
  expect(() => decodeExample({ ...example, vectors: example.vectors.slice(0, 400) })).toThrow("not whole");
});
