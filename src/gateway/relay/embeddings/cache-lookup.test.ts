import { describe, expect, it } from "vitest";
import type { EmbeddingItem } from "../../providers/provider.ts";
import { takeTurns } from "../../turns.ts";
import { createEmbeddingCache } from "./cache.ts";
import { lookUp } from "./cache-lookup.ts";
import type { EmbeddingsRequest } from "./request.ts";

const long = "long ".repeat(100_000);
const text = (value: string): EmbeddingItem => ({ type: "text", text: value });
const picture = (url: string): EmbeddingItem => ({ type: "block", parts: [{ type: "image_url", image_url: { url } }] });
const written = (value: string): EmbeddingItem => ({ type: "block", parts: [{ type: "text", text: value }] });

async function lookedUp(items: readonly EmbeddingItem[]) {
  const request = { items, format: "float", requiredSpace: null } as unknown as EmbeddingsRequest;
  const sharing = { cache: createEmbeddingCache(1_000), read: true, keep: true, durable: null };
  return await lookUp(request, () => "scope", sharing, takeTurns("somebody"));
}

describe("what of a batch is known", () => {
  it("tells long inputs apart by all of their characters, and finds those that are equal", async () => {
    const inputs = [text(`${long}a`), text(`${long}b`), text(`a${long}`), picture(long), written(long), text(long)];
    const { missing, repeats } = await lookedUp([...inputs, ...inputs]);
    expect(new Set(missing.values()).size).toBe(inputs.length);
    expect([...repeats]).toEqual(inputs.map((_, index) => [inputs.length + index, index]));
    expect(await lookedUp(inputs)).toMatchObject({ missing });
  });

  it("tells apart what differs in half a character only", async () => {
    const before = "a".repeat(262_143);
    const { missing } = await lookedUp([
      text(`${before}\u{1f600}`),
      text(`${before}\u{1f601}`),
      text(`${before}\ufffd\ufffd`),
    ]);
    expect(new Set(missing.values()).size).toBe(3);
  });
});
