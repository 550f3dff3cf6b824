// The playground's first screen: embeds its sentences with the built-in model, and writes them, their vectors and the
// picture of these to the file that ships. Start it again when the model's revision, the sentences or what draws the
// picture change; tests compare them.
import { writeFile } from "node:fs/promises";
import { sentencesByTopic } from "#gateway/testing/english-sentences.ts";
import { createEncoder, dimensions } from "#gateway/providers/local/semantic/encoder.ts";
import { modelFolder, readModelFiles } from "#gateway/providers/local/semantic/model-files.ts";
import { createTokenizer } from "#gateway/providers/local/semantic/tokenizer.ts";
import { chooseCount, clusters } from "#console/vectors/clusters.ts";
import { decodeExample } from "#console/vectors/example-vectors.ts";
import type { StoredExample } from "#console/vectors/protocol.ts";
import { groupNames } from "#console/vectors/group-names.ts";
import { shuffledSilhouette } from "#console/vectors/shuffled-groups.ts";
import { umapPoints } from "#console/vectors/umap-points.ts";
import { viewOf } from "#console/vectors/vectors.ts";

const file = new URL("../src/console/pages/playground/example-map.json", import.meta.url);
const topics = ["cooking", "football", "finance", "medicine", "space", "software"];
const perTopic = 20;
/** The one of the page's map: of the first 25, the one whose islands lie farthest apart. */
const seed = 8;
const texts = topics.flatMap((topic) => (sentencesByTopic[topic] ?? []).slice(0, perTopic));

const { tensors, vocabulary } = await readModelFiles(modelFolder() ?? "");
const tokenize = createTokenizer(vocabulary);
const encode = await createEncoder(tensors);
const bytes = new Int8Array(texts.length * dimensions);
for (const [row, vector] of encode(texts.map((text) => tokenize(text).ids)).entries()) {
  const largest = Math.max(...vector.map(Math.abs));
  for (const [at, value] of vector.entries()) bytes[row * dimensions + at] = Math.round((value / largest) * 127);
}
const made = {
  model: "gatehouse/semantic-en",
  dimensions,
  texts,
  vectors: Buffer.from(bytes.buffer).toString("base64"),
};
const example = { ...made, picture: await pictureOf(made) };
await writeFile(file, `${JSON.stringify(example)}\n`);
console.log(`${texts.length} sentences, ${bytes.length} bytes of vectors: ${file.pathname}`);

/** As the page's worker makes it, with the page's own seed. */
async function pictureOf(of: Omit<StoredExample, "picture">): Promise<StoredExample["picture"]> {
  const view = viewOf(decodeExample(of));
  const points = await umapPoints(view, seed, { draw: () => undefined, stopped: () => false });
  const best = await chooseCount(view, seed, async () => undefined);
  const found = clusters(view, best?.count ?? 1, seed);
  const names = groupNames(view.rows, found.of, found.sizes.length, (row) => texts[row] ?? "");
  return {
    points: Array.from(points, (at) => Number(at.toFixed(3))),
    groups: {
      ...found,
      best: best && { ...best, shuffled: shuffledSilhouette(view, best.count, best.among, seed) },
      names,
      of: Array.from(found.of),
    },
  };
}
