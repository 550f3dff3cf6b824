import { describe, expect, it } from "vitest";
import { BadAnswer, type Upstream } from "../providers/provider.ts";
import { takeTurns } from "../turns.ts";
import { isLongAnswer, readAnswerBody } from "./answer-body.ts";

const apiKey = "sk-vendor-0123456789abcdef";
const upstream: Upstream = {
  slug: "acme",
  kind: "openai-compatible",
  baseUrl: "https://vendor.example",
  apiKey,
  options: {},
};
const read = (text: string, mostValues = 1_000) =>
  readAnswerBody(upstream, Buffer.from(text), takeTurns("a key"), mostValues);

describe("a vendor's answer", () => {
  const long = { said: "x".repeat(300_000), values: [1, 2, 3] };

  it("is a text where it is short, and a value where it is long", async () => {
    expect(await read('{"said":"x"}')).toBe('{"said":"x"}');
    expect(isLongAnswer(Buffer.from(JSON.stringify(long)))).toBe(true);
    expect(await read(JSON.stringify(long))).toEqual({ parsed: long, isRedacted: false });
  });
  it("has the key blotted out, however long it is", async () => {
    for (const length of [10, 300_000]) {
      const answer = await read(JSON.stringify({ said: `${"x".repeat(length)} ${apiKey}` }));
      expect(JSON.stringify(answer)).not.toContain(apiKey);
    }
  });
  it("is a bad answer where it is long and no JSON, or holds too many values", async () => {
    await expect(read(`{"said":"${"x".repeat(300_000)}`)).rejects.toThrow(BadAnswer);
    await expect(read(JSON.stringify({ ...long, values: Array(2_000).fill(1) }))).rejects.toThrow(BadAnswer);
  });
});
