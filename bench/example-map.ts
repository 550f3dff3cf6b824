// The playground's first screen: embeds its sentences with the built-in model, and writes them and their vectors to the
// file that ships. Start it again when the model's revision or the sentences change; a test compares the two.
import { writeFile } from "node:fs/promises";
import { sentencesByTopic } from "#gateway/testing/english-sentences.ts";
import { createEncoder, dimensions } from "#gateway/providers/local/semantic/encoder.ts";
import { modelFolder, readModelFiles } from "#gateway/providers/local/semantic/model-files.ts";
import { createTokenizer } from "#gateway/providers/local/semantic/tokenizer.ts";

const file = new URL("../src/console/pages/playground/example-map.json", import.meta.url);
const topics = ["cooking", "football", "finance", "medicine", "space", "software"];
const perTopic = 20;
const texts = topics.flatMap((topic) => (sentencesByTopic[topic] ?? []).slice(0, perTopic));

const { tensors, vocabulary } = await readModelFiles(modelFolder() ?? "");
const tokenize = createTokenizer(vocabulary);
const encode = await createEncoder(tensors);
const bytes = new Int8Array(texts.length * dimensions);
for (const [row, vector] of encode(texts.map((text) => tokenize(text).ids)).entries()) {
  const largest = Math.max(...vector.map(Math.abs));
  for (const [at, value] of vector.entries()) bytes[row * dimensions + at] = Math.round((value / largest) * 127);
}
const example = {
  model: "gatehouse/semantic-en",
  dimensions,
  texts,
  vectors: Buffer.from(bytes.buffer).toString("base64"),
};
await writeFile(file, `${JSON.stringify(example)}\n`);
console.log(`${texts.length} sentences, ${bytes.length} bytes of vectors: ${file.pathname}`);
