import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxBatchTokensOf } from "#contract/provider-presets.ts";
import { failure } from "../../providers/failure.ts";
import type { EmbeddingItem } from "../../providers/provider.ts";
import { batchSizes, likelyTokens, refusesBatch } from "./batches.ts";

const text = (length: number): EmbeddingItem => ({ type: "text", text: "a".repeat(length) });
const model = (maxBatch: number | null, maxBatchTokens: number | null, contextLength: number | null = 8_192) => ({
  maxBatch,
  maxBatchTokens,
  contextLength,
});

describe("batchSizes", () => {
  it("keeps everything together where nothing is stated", () => {
    expect(batchSizes(model(null, null), [text(3), text(3)], 0)).toEqual([2]);
    expect(batchSizes(model(null, null), [], 0)).toEqual([]);
  });

  it("splits by number, and by tokens, the prefix of each input included", () => {
    expect(batchSizes(model(2, null), [1, 1, 1, 1, 1].map(text), 0)).toEqual([2, 2, 1]);
    // 300 bytes are 100 tokens and 12 around.
    expect(batchSizes(model(null, 224), [300, 300, 300].map(text), 0)).toEqual([2, 1]);
    expect(batchSizes(model(null, 224), [300, 300, 300].map(text), 1)).toEqual([1, 1, 1]);
    expect(batchSizes(model(null, 500), [{ type: "tokens", tokens: [1, 2, 3] }, text(300)], 0)).toEqual([2]);
  });

  it("sends an input alone that is beyond the tokens by itself", () => {
    expect(batchSizes(model(null, 50), [text(3), text(3_000), text(3)], 0)).toEqual([1, 1, 1]);
  });

  it("counts an image as the model's whole context, and no input as more than that", () => {
    const image: EmbeddingItem = { type: "block", parts: [{ type: "image_url", image_url: { url: "data:," } }] };
    expect(likelyTokens(image, { contextLength: 1_000 })).toBe(1_000);
    expect(likelyTokens(text(100_000), { contextLength: 512 })).toBe(512);
  });

  it("loses no input, and fills no batch beyond what is stated unless one input does", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 60 }),
        fc.option(fc.integer({ min: 1, max: 20 })),
        fc.option(fc.integer({ min: 1, max: 2_000 })),
        (lengths, maxBatch, maxTokens) => {
          const items = lengths.map(text);
          const stated = model(maxBatch, maxTokens);
          let from = 0;
          for (const size of batchSizes(stated, items, 0)) {
            const own = items.slice(from, from + size);
            from += size;
            expect(size).toBeGreaterThan(0);
            if (maxBatch !== null) expect(size).toBeLessThanOrEqual(maxBatch);
            const tokens = own.reduce((sum, item) => sum + likelyTokens(item, stated), 0);
            if (maxTokens !== null && size > 1) expect(tokens).toBeLessThanOrEqual(maxTokens);
          }
          expect(from).toBe(items.length);
        },
      ),
    );
  });
});

describe("refusesBatch", () => {
  const refused = (status: number, message: string, code: string | null = null) =>
    refusesBatch(failure("invalid_request", { status, message, code }));

  it.each([
    [400, "Too many tokens in batch. Max is 16384 got 17555", null],
    [400, "Too many tokens overall, split into more batches.", "3210"],
    [400, "Requested 375703 tokens, max 300000 tokens per request", "max_tokens_per_request"],
    [400, "The max allowed tokens per submitted batch is 120000. Your batch has 130321 tokens.", null],
    [400, "Invalid 'input': array too long. Expected at most 2048, but got 2049 instead.", "array_above_max_length"],
    [400, "Too many inputs. The max number of inputs is 16.", null],
    [400, "invalid request: total number of texts must be at most 96 - received 97", null],
    [400, "The batch size limit is 1000. Your batch size is 1001.", null],
    [422, "batch size 33 > maximum allowed batch size 32", "Validation"],
  ])("is true for %i %s", (status, message, code) => expect(refused(status, message, code)).toBe(true));

  it("is true for 413, and false for one text that is too long, and for a fault of the vendor", () => {
    expect(refusesBatch(failure("payload_too_large", { status: 413, message: "" }))).toBe(true);
    expect(refused(400, "This model's maximum context length is 8192 tokens")).toBe(false);
    expect(refused(500, "Too many tokens in batch")).toBe(false);
    expect(refusesBatch(failure("timeout", { message: "split into more batches" }))).toBe(false);
  });
});

describe("maxBatchTokensOf", () => {
  it("is what the vendor states, by model where models differ", () => {
    expect(maxBatchTokensOf("openai", "text-embedding-3-small")).toBe(300_000);
    expect(maxBatchTokensOf("mistral", "mistral-embed")).toBe(16_384);
    expect(maxBatchTokensOf("voyage", "voyage-3.5-lite")).toBe(1_000_000);
    expect(maxBatchTokensOf("voyage", "voyage-3.5")).toBe(320_000);
    expect(maxBatchTokensOf("voyage", "voyage-law-2")).toBe(120_000);
    expect(maxBatchTokensOf("cohere", "embed-v4.0")).toBeNull();
    expect(maxBatchTokensOf("custom", "embed")).toBeNull();
  });
});
