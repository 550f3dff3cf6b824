import { expect, it } from "vitest";
import { saidApart } from "./body.ts";

it.each([
  ["a thought and a text", { content: "Yes.", reasoning: "Hm." }, "Yes.", "Hm."],
  ["a thought by both its names", { content: null, reasoning: "Hm.", reasoning_content: "Hm." }, null, "Hm."],
  ["a call", { content: "", tool_calls: [{ id: "c" }] }, '[{"id":"c"}]', null],
  ["a refusal", { content: null, refusal: "No." }, "No.", null],
])("tells what a model thought from what it said: %s", (_, message, completion, reasoning) =>
  expect(saidApart([{ message }])).toEqual({ completion, reasoning }),
);
