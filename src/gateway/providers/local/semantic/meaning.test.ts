import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { judgedPairs, sentencesByTopic } from "../../../testing/english-sentences.ts";
import { embedText } from "../lexical.ts";
import { createEncoder } from "./encoder.ts";
import { isFamiliar } from "./familiarity.ts";
import { modelFolder, readModelFiles } from "./model-files.ts";
import { createTokenizer, type Tokens } from "./tokenizer.ts";

let tokenize: (text: string) => Tokens;
let embed: (texts: readonly string[]) => readonly Float32Array[];
beforeAll(async () => {
  const { tensors, vocabulary } = await readModelFiles(modelFolder() ?? "");
  tokenize = createTokenizer(vocabulary);
  const encode = await createEncoder(tensors);
  embed = (texts) => encode(texts.map((text) => tokenize(text).ids));
});

const sentences = Object.entries(sentencesByTopic).flatMap(([topic, texts]) => texts.map((text) => ({ topic, text })));
const texts = sentences.map(({ text }) => text);

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return (a ?? new Float32Array()).reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0);
}

/** The share of sentences whose nearest neighbor is on the same topic. */
function purity(vectors: readonly Float32Array[]): number {
  const same = vectors.filter((vector, index) => {
    const likeness = vectors.map((other, at) => (at === index ? Number.NEGATIVE_INFINITY : cosine(vector, other)));
    return sentences[likeness.indexOf(Math.max(...likeness))]?.topic === sentences[index]?.topic;
  });
  return same.length / vectors.length;
}

/** Ranks from 1; equal values share the mean of theirs. */
function ranks(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}

/** Spearman's rank correlation: Pearson's of the ranks, which works with ties. */
function spearman(a: readonly number[], b: readonly number[]): number {
  const middle = (a.length + 1) / 2;
  const [x, y] = [ranks(a), ranks(b)].map((list) => Float32Array.from(list, (rank) => rank - middle));
  return cosine(x, y) / Math.sqrt(cosine(x, x) * cosine(y, y));
}

describe("300 sentences on eight topics", () => {
  it("have a neighbor of their own topic, nearly always; by wording alone they do not", () => {
    expect(texts).toHaveLength(300);
    expect(new Set(texts).size).toBe(300);
    expect(purity(embed(texts))).toBeGreaterThanOrEqual(0.9);
    expect(purity(texts.map((text) => embedText(text, 384)))).toBeLessThan(0.6);
  });
});

describe("60 pairs judged by hand", () => {
  it("are ordered by the model as by the judge", () => {
    expect(judgedPairs).toHaveLength(60);
    const judged = judgedPairs.map(([judgment]) => judgment);
    const likeness = judgedPairs.map(([, one, other]) => {
      const [a, b] = embed([one, other]);
      return cosine(a, b);
    });
    expect(spearman(judged, likeness)).toBeGreaterThan(0.85);
  });
});

describe("familiarity", () => {
  it("is what English sentences have, and others lack", () => {
    const strange = texts.filter((text) => !isFamiliar(tokenize, text));
    expect(strange.length).toBeLessThanOrEqual(6);
    const foreign = [
      "Der Container wird beim Zoll festgehalten.",
      "Bitte setzen Sie mein Passwort zurück.",
      "La facture n'a pas encore été payée.",
      "Ayer llovió todo el día.",
      "Vorrei annullare il mio ordine.",
      "De kat zit op de mat.",
      "Faktura nie została jeszcze zapłacona.",
      "Кошка сидит на коврике.",
      "猫はマットの上に静かに座っている。",
      "القطة تجلس على السجادة.",
    ];
    expect(foreign.filter((text) => isFamiliar(tokenize, text))).toEqual([]);
  });

  it("is what texts of an unknown script or of emoji lack, however short", () => {
    const unknown = ["发票错了", "😀😀😀", "請求書", "猫", "שלום", "👍 👍"];
    expect(unknown.filter((text) => isFamiliar(tokenize, text))).toEqual([]);
    expect(["Great 😀", "Thanks, 李", "naïve café 👍"].filter((text) => !isFamiliar(tokenize, text))).toEqual([]);
  });

  it("is not decided by numbers, signs or a few letters", () => {
    const short = ["hello", "42", "3.14159 26535 89793", "->", "Müller", "{}[]();"];
    expect(short.filter((text) => !isFamiliar(tokenize, text))).toEqual([]);
  });
});

describe("the console's example map", () => {
  it("is of sentences whose vectors are this model's, but for the bytes that they are kept in", async () => {
    const file = new URL("../../../../console/pages/playground/example-map.json", import.meta.url);
    const { texts, vectors } = JSON.parse(await readFile(file, "utf8")) as { texts: string[]; vectors: string };
    const stored = Float32Array.from(new Int8Array(Buffer.from(vectors, "base64")));
    for (const [row, own] of embed(texts).entries()) {
      const kept = stored.subarray(row * own.length, (row + 1) * own.length);
      expect(cosine(own, kept) / Math.hypot(...kept)).toBeGreaterThan(0.999);
    }
  });
});
