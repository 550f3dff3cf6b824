import { describe, expect, it } from "vitest";
import { createEmbeddingCache } from "./cache.ts";

const vector = (seed: number, length: number) => Buffer.from(`[${"0.1234,".repeat(length)}${seed}]`);

const space = "vs_00000000000000000000-4";

describe("what is kept of embeddings", () => {
  it("comes back as it was, wherever in the keystream it was sealed", () => {
    const cache = createEmbeddingCache(1_048_576);
    const given = Array.from({ length: 40 }, (_, index) => vector(index, index * 3 + 1));
    given.forEach((json, index) => cache.keep(String(index), { json, promptTokens: index, space }));
    for (const index of [39, 0, 17, 3, 28, 0]) {
      expect(cache.find(String(index))).toEqual({ json: given[index], promptTokens: index, space });
    }
  });

  it("is bounded, and what was not used for longest goes first", () => {
    const cache = createEmbeddingCache(10_000);
    for (const key of ["a", "b", "c"]) cache.keep(key, { json: vector(1, 400), promptTokens: 1, space });
    expect(cache.find("a")).not.toBeNull();
    cache.keep("d", { json: vector(2, 400), promptTokens: 1, space });
    expect(["a", "b", "c", "d"].filter((key) => cache.find(key) !== null)).toEqual(["a", "c", "d"]);
  });

  it("is nothing where no room is given", () => {
    const cache = createEmbeddingCache(0);
    cache.keep("a", { json: vector(1, 1), promptTokens: 1, space });
    expect(cache.find("a")).toBeNull();
  });
});
