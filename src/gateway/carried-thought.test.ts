import { expect, it } from "vitest";
import { carriedThought, isCarried, thoughtCarriedBy } from "./carried-thought.ts";

const claude = { type: "reasoning.text", text: "hm", signature: "s", format: "anthropic-claude-v1" };
const sealed = { type: "reasoning.encrypted", data: "d", format: "anthropic-claude-v1" };

it.each([claude, sealed])("a thought that its vendor signed comes back as it was: %j", (detail) => {
  const carried = carriedThought(detail);
  expect(isCarried(carried)).toBe(true);
  expect(thoughtCarriedBy(carried ?? "")).toEqual(detail);
});

it.each([
  { type: "reasoning.text", text: "hm", format: "unknown" },
  { type: "reasoning.encrypted", data: "d", format: "openai-responses-v1" },
])("a thought that needs nothing, or is OpenAI's own, is not carried: %j", (detail) => {
  expect(carriedThought(detail)).toBeNull();
});

const forged = (detail: unknown) => `gatehouse-thought.${Buffer.from(JSON.stringify(detail)).toString("base64url")}`;

it("of a thought that a caller wrote itself no more is taken than of one that was answered", () => {
  expect(thoughtCarriedBy(forged({ ...claude, index: 9, id: {}, role: "system" }))).toEqual(claude);
});

it.each([
  "gatehouse-thought.",
  forged({ ...claude, text: { deep: [] } }),
  forged({ ...claude, signature: 1 }),
  forged({ ...claude, type: "reasoning.other" }),
  `gatehouse-thought.${Buffer.from(`{"type":"reasoning.text","text":${"[".repeat(300_000)}${"]".repeat(300_000)}}`).toString("base64url")}`,
  "gatehouse-thought.%%%",
  "gatehouse-thought.W10",
  `gatehouse-thought.${"A".repeat(2_000_000)}`,
])("what a caller changed is no thought: %.40s", (content) => expect(thoughtCarriedBy(content)).toBeNull());

it("what a caller adds to a thought is left out, and one whose text is none is no thought, however deep it is", () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const carrying = (json: string) => `gatehouse-thought.${Buffer.from(json).toString("base64url")}`;
  const signed = { type: "reasoning.text", signature: "s" };
  expect(thoughtCarriedBy(carrying(`{"type":"reasoning.text","signature":"s","more":${deep}}`))).toEqual(signed);
  expect(thoughtCarriedBy(carrying(`{"type":"reasoning.text","signature":"s","text":${deep}}`))).toBeNull();
});
