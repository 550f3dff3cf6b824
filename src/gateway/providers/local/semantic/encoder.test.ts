import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sentencesByTopic } from "../../../testing/english-sentences.ts";
import { createEncoder, dimensions, type Encode, mostTokens } from "./encoder.ts";
import { modelFolder, readModelFiles } from "./model-files.ts";
import { createSemanticModel } from "./semantic-model.ts";
import { createTokenizer, type Tokens } from "./tokenizer.ts";

let tokenize: (text: string) => Tokens;
let encode: Encode;
beforeAll(async () => {
  const { tensors, vocabulary } = await readModelFiles(modelFolder() ?? "");
  tokenize = createTokenizer(vocabulary);
  encode = await createEncoder(tensors);
});

/** Token ids, and the first and last numbers of the vector, as TensorFlow.js gives them for the same files. */
const reference: readonly (readonly [text: string, ids: number[], first: number[], last: number[]])[] = [
  [
    "The gate is open.",
    [34, 6128, 18, 618, 6],
    [0.043648, 0.055416, 0.053481, -0.024343, 0.037713, -0.02273],
    [-0.054873, 0.041103],
  ],
  [
    "container held at customs",
    [1672, 46, 1474, 38, 3528, 7],
    [0.035215, 0.042291, 0.043549, -0.03333, -0.035376, 0.027176],
    [-0.010899, 0.047423],
  ],
  [
    "My neighbour’s cat isn't fond of thunderstorms, unfortunately.",
    [404, 6571, 2390, 7, 1163, 541, 13, 17, 1394, 560, 14, 1128, 3134, 7, 1068, 47, 7, 8, 6262, 6],
    [0.01399, -0.024123, -0.063792, -0.057556, 0.013694, 0.06092],
    [-0.005428, -0.051518],
  ],
  [
    "Invoice 4711 from Müller GmbH, due 2026-11-30",
    [133, 963, 947, 30, 3797, 1650, 50, 256, 6980, 120, 46, 223, 730, 350, 8, 905, 514, 4140, 24, 1650, 24, 1714],
    [-0.012921, -0.029667, -0.038438, 0.040585, -0.049963, -0.023975],
    [-0.057684, -0.000094],
  ],
  [
    "Ｆｕｌｌ ｗｉｄｔｈ ﬁne print",
    [6714, 7916, 839, 2355],
    [0.018506, -0.018952, 0.056404, -0.017862, -0.046658, -0.026611],
    [0.002082, -0.035102],
  ],
  [
    "A 猫 sat on the 敷物 here",
    [74, 30, 0, 3757, 25, 9, 30, 0, 280],
    [0.019836, -0.049562, 0.037364, -0.019064, 0.044923, -0.022714],
    [0.013159, 0.021804],
  ],
  [
    "antidisestablishmentarianism",
    [1531, 3175, 281, 1112, 2873, 284, 3619, 639],
    [-0.050039, 0.033273, -0.028741, -0.057888, -0.020773, -0.053674],
    [0.063614, -0.003145],
  ],
];

/** Equal for the same bits only. */
const bits = (vector: Float32Array | undefined) => (vector ?? []).join(" ");

describe("the tokenizer", () => {
  it.each(reference)("splits %j as TensorFlow.js does", (text, ids) => {
    expect(tokenize(text).ids).toEqual(ids);
  });

  it("takes white space of any kind as one space, and none at the ends", () => {
    expect(tokenize("\n container\t held \r\n at\u00a0customs ").ids).toEqual([1672, 46, 1474, 38, 3528, 7]);
    expect(tokenize(" \n\t").ids).toEqual([]);
  });

  it("gives unknown characters in a row one token", () => {
    expect(tokenize("😀".repeat(1_000)).ids).toEqual([30, 0]);
    expect(tokenize("\ud800\ud800 a").ids.at(-1)).toBe(11);
  });

  it.each([
    ["one letter", "a".repeat(65_536)],
    [
      "letters without a space",
      Array.from({ length: 65_536 }, (_, at) => String.fromCharCode(97 + ((at * 7) % 26))).join(""),
    ],
    ["marks in the wrong order", `a${"\u0315".repeat(32_768)}${"\u0300".repeat(32_768)}`],
    ["characters that become eighteen", "\ufdfa".repeat(65_536)],
    ["half characters", "\ud800".repeat(65_536)],
    ["spaces", " ".repeat(65_536)],
  ])("takes no long time for 64 kB of %s", (_, text) => {
    // Under a second on any machine; were it the square of the length, minutes.
    const before = process.cpuUsage();
    tokenize(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(15_000);
  });
});

describe("the encoder", () => {
  it("gives the vectors that TensorFlow.js gives", () => {
    const vectors = encode(reference.map(([, ids]) => ids));
    for (const [index, [text, , first, last]] of reference.entries()) {
      const vector = vectors[index] ?? new Float32Array();
      expect(vector, text).toHaveLength(dimensions);
      const close = (numbers: readonly number[]) => numbers.map((value) => expect.closeTo(value, 5));
      expect([...vector.subarray(0, 6)], text).toEqual(close(first));
      expect([...vector.subarray(-2)], text).toEqual(close(last));
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  it("gives a text the same vector to the last bit, whatever is computed with it", () => {
    const ids = Object.values(sentencesByTopic)
      .flatMap((texts) => texts.slice(0, 6))
      .map((text) => tokenize(text).ids);
    const alone = ids.map((each) => bits(encode([each])[0]));
    expect(encode(ids).map(bits)).toEqual(alone);
    expect(encode(ids.toReversed()).map(bits)).toEqual(alone.toReversed());
  });

  it("takes texts without a token, and of as many as it reads", () => {
    const long = Array.from({ length: mostTokens }, (_, at) => 100 + at);
    const [none, first, again] = encode([[], long, long]);
    expect(none).toHaveLength(dimensions);
    expect(bits(first)).toBe(bits(again));
    expect(Math.hypot(...(none ?? []))).toBeCloseTo(1, 5);
  });
});

describe("the model's files", () => {
  it("are refused where one is not that of this version, and callers are told", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-model-"));
    try {
      const installed = modelFolder() ?? "";
      for (const file of await readdir(installed)) await symlink(join(installed, file), join(folder, file));
      await rm(join(folder, "vocab.json"));
      await writeFile(join(folder, "vocab.json"), "[]");
      const why = /vocab\.json of @energetic-ai\/model-embeddings-en is not the file of version 0\.2\.0/;
      await expect(readModelFiles(folder)).rejects.toThrow(why);
      const model = createSemanticModel({ folder, warn: () => {} });
      const { signal } = new AbortController();
      await expect(model.embed(["a"], { owner: "", signal, truncate: false })).rejects.toThrow(why);
      model.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
