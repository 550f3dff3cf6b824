import { expect, it } from "vitest";
import { newDraft } from "./draft.ts";
import { changedFields, groupOf, readableValue, whyLeaves } from "./payload-groups.ts";
import { payloadFields } from "./payload.ts";

it("reads OpenTelemetry's attributes by their own names", () => {
  const model = { key: "gen_ai.request.model", value: { stringValue: "openai/gpt-5-mini" } };
  const tokens = { key: "gen_ai.usage.input_tokens", value: { intValue: "1204" } };
  const spans = [{ traceId: "t1", attributes: [model, tokens] }];
  expect(payloadFields(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))).toEqual([
    { name: "spans.traceId", value: "t1" },
    { name: "gen_ai.request.model", value: "openai/gpt-5-mini" },
    { name: "gen_ai.usage.input_tokens", value: "1204" },
  ]);
});

it("reads lines of JSON, lists of at most two hundred values, and nothing at all", () => {
  const fields = payloadFields('{"id":"a","cost":0.5}\n{"id":"b","cost":null}');
  const read = Object.fromEntries((fields ?? []).map(({ name, value }) => [name, value]));
  expect(read).toEqual({ "[0].id": "a", "[0].cost": "0.5", "[1].id": "b", "[1].cost": "null" });
  expect(payloadFields(JSON.stringify(Array.from({ length: 500 }, (_, index) => index)))).toHaveLength(200);
  expect([payloadFields("not json"), payloadFields("{}")]).toEqual([null, []]);
});

it.each([
  ["who", "user.id USER_ID gatehouse.api_key.name session.id user_agent.original $ai_session_id"],
  ["what", "gen_ai.request.model MODEL http.response.status_code error.type trace.metadata.team gatehouse.inputs"],
  ["cost", "gen_ai.usage.input_tokens TOTAL_COST gatehouse.byok_cost $ai_output_tokens"],
  ["time", "spans.startTimeUnixNano LATENCY_MS gatehouse.time_to_first_byte_ms"],
  ["body", "gen_ai.input.messages OUTPUT $ai_input gen_ai.output.messages"],
  ["wire", "service.name scope.name spans.traceId spans.kind PARENT_SPAN_ID"],
])("the group %s has %s", (group, names) => expect(new Set(names.split(" ").map(groupOf))).toEqual(new Set([group])));

it("reads nanoseconds as an instant, and leaves every other value as it is", () => {
  const value = "1795302759470000000";
  expect(readableValue({ name: "spans.startTimeUnixNano", value })).toBe("2026-11-21T23:12:39.470Z");
  expect(readableValue({ name: "user.id", value })).toBe(value);
});

const fresh = newDraft("webhook");
const ruled = (field: string, operator: string, value: string) => {
  return { ...fresh, api_key_hashes: ["a"], filter_rules: { groups: [{ rules: [{ field, operator, value }] }] } };
};
const draft = ruled("model", "starts_with", "openai/");
it.each([
  ["gen_ai.request.model", draft, "rule 1 kept it"],
  ["gatehouse.api_key.name", draft, "in your list"],
  ["gatehouse.api_key.name", fresh, "“Who called” is on"],
  ["gen_ai.input.messages", { ...draft, privacy_mode: false }, "prompts are on"],
  ["INPUT", draft, "left empty"],
  ["spans.startTimeUnixNano", draft, "always sent"],
  // a count leaves with the metadata, whatever a rule reads of the prompt
  ["gatehouse.inputs", ruled("input", "contains", "a"), "always sent"],
])("says which setting lets %s leave: %#", (name, edited, why) => expect(whyLeaves(name, edited)).toBe(why));

it("tells what the edits make leave and what they make stay", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => ({ name, value: "x" }));
  const fields = (...some: (typeof a)[]) => some.filter((one) => one !== undefined);
  expect(changedFields(fields(a, b), fields(b, c))).toEqual({ starts: [c], stops: [a] });
});
