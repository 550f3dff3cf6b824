import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Turn } from "../../turns.ts";
import { countInTurns, countTokens, embedText, lexical } from "./lexical.ts";

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

const text = fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" });
const dimensions = fc.integer({ min: lexical.dimensions.minimum, max: lexical.dimensions.maximum });

describe("gatehouse/lexical", () => {
  it("gives every text a vector of unit length in the dimensions asked for", () => {
    fc.assert(
      fc.property(text, dimensions, (input, size) => {
        const vector = embedText(input, size);
        expect(vector).toHaveLength(size);
        expect(Math.abs(dot(vector, vector) - 1)).toBeLessThan(1e-5);
      }),
    );
  });

  it("gives the same text the same vector, byte for byte", () => {
    fc.assert(
      fc.property(text, dimensions, (input, size) => {
        expect(Buffer.from(embedText(input, size).buffer)).toEqual(Buffer.from(embedText(input, size).buffer));
      }),
    );
  });

  // Pins the vector itself, so that a change of hash or weight cannot pass as a refactoring: stored vectors depend on it.
  it("keeps the vectors that earlier versions gave", () => {
    const vector = embedText("The quick brown fox jumps over the lazy dog.", 8);
    expect([...vector].map((value) => value.toFixed(6))).toMatchInlineSnapshot(`
      [
        "0.092893",
        "0.700702",
        "-0.116784",
        "0.018130",
        "-0.233567",
        "-0.443244",
        "0.482172",
        "0.053965",
      ]
    `);
  });

  it("puts shared wording nearer than different wording", () => {
    const base = embedText("How do I reset my password?", 384);
    const reworded = embedText("Resetting my password: how do I?", 384);
    const other = embedText("Tomorrow it will rain in the mountains.", 384);
    expect(dot(base, reworded)).toBeGreaterThan(0.5);
    expect(dot(base, other)).toBeLessThan(0.2);
  });

  it("takes case and compatibility forms for the same wording", () => {
    expect(dot(embedText("CAFÉ №1", 384), embedText("cafe\u0301 no1", 384))).toBeCloseTo(1, 5);
  });

  it("tells apart texts that hold no letter at all", () => {
    expect(dot(embedText("?!", 384), embedText("###", 384))).toBeLessThan(0.9);
  });

  it.each([
    ["hello", 1],
    ["hello, world", 3],
    [" ", 1],
    ["internationalisation", 3],
    ["东京都渋谷区神南一丁目", 2],
  ])("counts the tokens of %j: %i", (input, tokens) => {
    expect(countTokens(input)).toBe(tokens);
  });
});

describe("countInTurns", () => {
  function turnOf(each: (features: number) => void = () => {}) {
    const taken = { features: 0 };
    const turn: Turn = {
      owner: "a key",
      begin: () => {},
      isOver: () => {
        taken.features += 1;
        each(taken.features);
        return false;
      },
      next: async () => {},
    };
    return { turn, taken };
  }

  it.each([
    ["a", 16_384 * 50],
    ["word ", 300_000],
  ])("counts %j, repeated, like countTokens", async (piece, times) => {
    const long = piece.repeat(times);
    expect(await countInTurns(long, turnOf().turn)).toBe(countTokens(long));
  });

  it("stops beyond what may be read, and estimates the rest", async () => {
    const { turn, taken } = turnOf();
    const tokens = await countInTurns("a".repeat(16_384 * 50), turn, { most: 3_000 });
    expect([tokens, taken.features]).toEqual([102_400, 2]);
  });

  it("stops when the caller has left", async () => {
    const leaving = new AbortController();
    const { turn, taken } = turnOf((features) => features === 3 && leaving.abort());
    const counted = countInTurns("a".repeat(16_384 * 50), turn, { signal: leaving.signal });
    await expect(counted).rejects.toThrow(/abort/);
    expect(taken.features).toBe(3);
  });
});
