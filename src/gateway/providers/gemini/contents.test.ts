import { describe, expect, it } from "vitest";
import { readMessages } from "../messages.ts";
import { toContents } from "./contents.ts";

const call = (id: string, signature?: string) => ({
  id,
  type: "function",
  function: { name: "look", arguments: "{}" },
  ...(signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }),
});
const partsOf = (model: string, messages: object[]) =>
  toContents(readMessages({ messages }), model).contents.flatMap(({ parts }) => parts as object[]);
const turn = (...calls: object[]) => ({ role: "assistant", content: null, tool_calls: calls });

it("leaves out a turn of another model's thoughts alone, of which nothing is sent", () => {
  const said = (role: string, content: string) => ({ role, content });
  const thought = { role: "assistant", content: "", reasoning_details: [{ type: "reasoning.text", text: "hm" }] };
  const messages = readMessages({ messages: [said("user", "a"), thought, said("user", "b")] });
  expect(toContents(messages, "gemini-3-pro").contents).toEqual([
    { role: "user", parts: [{ text: "a" }, { text: "b" }] },
  ]);
});

describe("calls of tools at Gemini", () => {
  it("are told apart by ids where one function is called twice at once", () => {
    const messages = [turn(call("a", "sig"), call("b")), { role: "tool", tool_call_id: "b", content: "2" }];
    expect(partsOf("gemini-3-pro", messages)).toEqual([
      { functionCall: { id: "a", name: "look", args: {} }, thoughtSignature: "sig" },
      { functionCall: { id: "b", name: "look", args: {} } },
      { functionResponse: { id: "b", name: "look", response: { result: "2" } } },
    ]);
  });

  it("have the signatures that clients send back in reasoning_details", () => {
    const details = [{ type: "reasoning.encrypted", data: "sig", id: "a", format: "google-gemini-v1" }];
    const [part] = partsOf("gemini-3-pro", [{ ...turn(call("a")), reasoning_details: details }]);
    expect(part).toMatchObject({ functionCall: { id: "a" }, thoughtSignature: "sig" });
  });

  it("that another model made have Google's placeholder for a signature, once a turn; older models need none", () => {
    const messages = [turn(call("a"), call("b")), turn(call("c"))];
    const signatures = (model: string) =>
      partsOf(model, messages).map((part) => (part as { thoughtSignature?: string }).thoughtSignature);
    const placeholder = "skip_thought_signature_validator";
    expect(signatures("gemini-3.1-flash")).toEqual([placeholder, undefined, placeholder]);
    expect(signatures("gemini-2.5-pro")).toEqual([undefined, undefined, undefined]);
  });

  it("have images in their results", () => {
    const content = [
      { type: "text", text: "here" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ];
    expect(partsOf("gemini-2.5-pro", [turn(call("a")), { role: "tool", tool_call_id: "a", content }]).slice(1)).toEqual(
      [
        { functionResponse: { name: "look", response: { result: "here" } } },
        { inlineData: { mimeType: "image/png", data: "AAAA" } },
      ],
    );
  });
});
