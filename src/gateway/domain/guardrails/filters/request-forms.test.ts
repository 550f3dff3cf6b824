import { expect, it } from "vitest";
import { compileFilters } from "./compile.ts";
import { filterBody } from "./filter-body.ts";

const filter = compileFilters({ patterns: [{ pattern: "falcon", action: "block", label: "BIRD" }], builtins: [] });
const sent = (members: object) =>
  filterBody(Buffer.from(JSON.stringify({ messages: [], ...members })), "messages", filter()).kind;

it.each([
  [
    "output_format",
    { output_format: { type: "json_schema", schema: { properties: { a: { description: "falcon" } } } } },
  ],
  ["output_config", { output_config: { format: { schema: { properties: { a: { description: "falcon" } } } } } }],
  ["context_management", { context_management: { edits: [{ type: "compact_20260112", instructions: "falcon" }] } }],
  ["an unknown member of thinking", { thinking: { type: "enabled", hint: "falcon" } }],
  ["an unknown member of tool_choice", { tool_choice: { type: "auto", because: "falcon" } }],
  ["an unknown member of container", { container: { id: "c", skills: [{ note: "falcon" }] } }],
])("%s of Anthropic's is read", (_, members) => {
  expect(sent(members)).toBe("blocked");
});

it.each([
  ["a tool's name", { tool_choice: { type: "tool", name: "falcon" } }],
  ["a type", { thinking: { type: "falcon" } }],
])("%s is not", (_, members) => {
  expect(sent(members)).toBe("passed");
});
