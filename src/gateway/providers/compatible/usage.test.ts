import { describe, expect, it } from "vitest";
import { runAtOnce } from "../../turns.ts";
import { chat } from "./chat.ts";

function usageOf(usage: Record<string, unknown>) {
  const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "4" } }];
  return runAtOnce(chat.readAnswer(JSON.stringify({ choices, usage }))).usage;
}

/** What vendors report is in vendor-bills.txt; here is what cannot be true. */
describe("of a total, thinking that is counted nowhere else", () => {
  it.each([
    ["no more than the thinking", { total_tokens: 500, completion_tokens_details: { reasoning_tokens: 5 } }, 25],
    ["nothing where none was done", { total_tokens: 500, completion_tokens_details: { reasoning_tokens: 0 } }, 20],
    ["nothing of a total that is too small", { total_tokens: 3 }, 20],
    ["what is said to be more than all that was written", { completion_tokens_details: { reasoning_tokens: 50 } }, 70],
    ["nothing of a total that is no count", { total_tokens: "many" }, 20],
  ])("is taken: %s", (_, rest, completionTokens) => {
    expect(usageOf({ prompt_tokens: 10, completion_tokens: 20, ...rest })).toMatchObject({ completionTokens });
  });
});

it("what a vendor's own provider asked is kept, and nothing is charged by it", () => {
  const said = { prompt_tokens: 10, completion_tokens: 20, cost: 0.0015 };
  const both = usageOf({ ...said, cost_details: { upstream_inference_cost: 0.0019 } });
  expect(both).toMatchObject({ billedNanoUsd: 1_500_000, upstreamNanoUsd: 1_900_000 });
  const unsaid = usageOf({ ...said, cost_details: { upstream_inference_cost: null } });
  expect(unsaid).not.toHaveProperty("upstreamNanoUsd");
});
