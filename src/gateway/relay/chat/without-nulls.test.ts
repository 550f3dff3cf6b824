import { expect, it } from "vitest";
import { withoutNulls } from "./without-nulls.ts";

const parameters = { type: "object", properties: { unit: { enum: ["c", null], default: null } } };
const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };

it("a request is sent without members that are null, but for content and what schemas say", () => {
  const image = { type: "image_url", image_url: { url: "https://example.com/a.png", detail: null } };
  const json_schema = { name: "a", description: null, schema: { default: null } };
  expect(
    withoutNulls({
      temperature: null,
      tool_choice: null,
      stop: null,
      n: 1,
      messages: [
        { role: "user", name: null, content: [image, { type: "text", text: "hi", cache_control: null }] },
        {
          role: "assistant",
          content: null,
          refusal: null,
          function_call: null,
          tool_calls: [{ ...call, index: null }],
        },
        { role: "assistant", content: "a", tool_calls: null, reasoning_details: [{ signature: null }] },
      ],
      tools: [{ type: "function", function: { name: "f", description: null, strict: null, parameters } }],
      response_format: { type: "json_schema", json_schema },
    }),
  ).toEqual({
    n: 1,
    messages: [
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
          { type: "text", text: "hi" },
        ],
      },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "assistant", content: "a", reasoning_details: [{ signature: null }] },
    ],
    tools: [{ type: "function", function: { name: "f", parameters } }],
    response_format: { type: "json_schema", json_schema: { name: "a", schema: { default: null } } },
  });
  const plain = { messages: [{ role: "user", content: "hi" }] };
  expect(withoutNulls(plain)).toBe(plain);
});
