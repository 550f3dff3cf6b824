import { describe, expect, it } from "vitest";
import { runAtOnce } from "../../turns.ts";
import { chat } from "./chat.ts";

function usageOf(usage: Record<string, unknown>) {
  const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "4" } }];
  return runAtOnce(chat.readAnswer(JSON.stringify({ choices, usage }))).usage;
}

/** In the form that each vendor documents. */
describe("usage in OpenAI's form", () => {
  it("takes the thinking that xAI leaves out of completion_tokens and counts in the total", () => {
    const usage = {
      prompt_tokens: 37,
      completion_tokens: 530,
      total_tokens: 800,
      completion_tokens_details: { reasoning_tokens: 233 },
    };
    expect(usageOf(usage)).toMatchObject({ promptTokens: 37, completionTokens: 763, reasoningTokens: 233 });
  });

  it("takes the thinking that Gemini counts in the total alone", () => {
    const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 130 };
    expect(usageOf(usage)).toMatchObject({ promptTokens: 10, completionTokens: 120, reasoningTokens: 100 });
  });

  it("takes OpenAI's thinking, which is in completion_tokens already, once", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 120,
      total_tokens: 130,
      completion_tokens_details: { reasoning_tokens: 100 },
    };
    expect(usageOf(usage)).toMatchObject({ completionTokens: 120, reasoningTokens: 100 });
  });

  it.each([
    ["no more than the thinking", { total_tokens: 500, completion_tokens_details: { reasoning_tokens: 5 } }, 25],
    ["nothing where none was done", { total_tokens: 500, completion_tokens_details: { reasoning_tokens: 0 } }, 20],
    ["nothing of a total that is too small", { total_tokens: 3 }, 20],
    ["nothing of a total that is no count", { total_tokens: "many" }, 20],
  ])("adds %s", (_, rest, completionTokens) => {
    expect(usageOf({ prompt_tokens: 10, completion_tokens: 20, ...rest })).toMatchObject({ completionTokens });
  });
});
