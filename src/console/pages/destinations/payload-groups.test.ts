import { describe, expect, it } from "vitest";
import { newDraft } from "./draft.ts";
import { changedFields, groupOf, readableValue, whyLeaves } from "./payload-groups.ts";

describe("what a field is about, in every format's own names", () => {
  it.each([
    ["who", ["user.id", "USER_ID", "gatehouse.api_key.name", "session.id", "user_agent.original", "$ai_session_id"]],
    [
      "what",
      [
        "gen_ai.request.model",
        "MODEL",
        "http.response.status_code",
        "error.type",
        "trace.metadata.team",
        "gatehouse.inputs",
      ],
    ],
    ["cost", ["gen_ai.usage.input_tokens", "TOTAL_COST", "gatehouse.byok_cost", "$ai_output_tokens"]],
    ["time", ["spans.startTimeUnixNano", "LATENCY_MS", "gatehouse.time_to_first_byte_ms"]],
    ["body", ["gen_ai.input.messages", "OUTPUT", "$ai_input", "gen_ai.output.messages"]],
    ["wire", ["service.name", "scope.name", "spans.traceId", "spans.kind", "PARENT_SPAN_ID"]],
  ] as const)("%s", (group, names) => expect(names.map(groupOf)).toEqual(names.map(() => group)));
});

it("reads nanoseconds as an instant, and leaves every other value as it is", () => {
  const value = "1795302759470000000";
  expect(readableValue({ name: "spans.startTimeUnixNano", value })).toBe("2026-11-21T23:12:39.470Z");
  expect(readableValue({ name: "user.id", value })).toBe(value);
});

it("says which setting lets a field leave", () => {
  const rule = { field: "model", operator: "starts_with", value: "openai/" } as const;
  const draft = { ...newDraft("webhook"), filter_rules: { groups: [{ rules: [rule] }] }, api_key_hashes: ["a"] };
  expect(whyLeaves("gen_ai.request.model", draft)).toBe("rule 1 kept it");
  expect(whyLeaves("gatehouse.api_key.name", draft)).toBe("in your list");
  expect(whyLeaves("gatehouse.api_key.name", newDraft("webhook"))).toBe("“Who called” is on");
  expect(whyLeaves("gen_ai.input.messages", { ...draft, privacy_mode: false })).toBe("prompts are on");
  expect(whyLeaves("INPUT", draft)).toBe("left empty");
  expect(whyLeaves("spans.startTimeUnixNano", draft)).toBe("always sent");
  // a count leaves with the metadata, whatever a rule reads of the prompt
  const reads = { field: "input", operator: "contains", value: "a" } as const;
  expect(whyLeaves("gatehouse.inputs", { ...draft, filter_rules: { groups: [{ rules: [reads] }] } })).toBe(
    "always sent",
  );
});

it("tells what the edits make leave and what they make stay", () => {
  const field = (name: string) => ({ name, value: "x" });
  expect(changedFields([field("a"), field("b")], [field("b"), field("c")])).toEqual({
    starts: [field("c")],
    stops: [field("a")],
  });
});
