import { describe, expect, it } from "vitest";
import { countMessageTokens } from "../messages/count-tokens.ts";
import { messagesForm } from "../messages/messages-form.ts";
import { responsesForm } from "../responses/responses-form.ts";
import { wholeChat } from "../../testing/chat-answers.ts";
import { exchange, type ExchangePartner } from "../../testing/exchange.ts";
import { answeringWhole } from "../../testing/messages-answers.ts";
import { answeringWhole as responding } from "../../testing/responses-answers.ts";
import type { RelayDeps } from "../deps.ts";
import type { ModelCall } from "../model-call.ts";
import { chatForm } from "./chat-form.ts";

/** JavaScript makes neither a text nor a number of it. */
const odd = { toString: 1, valueOf: 1 };
const deps = { domain: { accounts: { of: async () => ({}) } } };
const hello = wholeChat({ content: "Hello" });
const claude: ExchangePartner = { kind: "anthropic", preset: "anthropic" };
const said = (block: object) => ({ messages: [{ role: "user", content: [block] }] });
const result = (block: object) => said({ type: "tool_result", tool_use_id: "t", content: [block] });
const item = (members: object) => ({ input: [members] });
const part = (members: object) => item({ role: "user", content: [members] });
const output = (given: unknown) => item({ type: "function_call_output", call_id: "c", output: given });
const thought = { content: [{ type: "reasoning_text", text: odd }], signature: odd, format: odd };
const source = { type: "content", content: [{ type: odd }] };

describe("a member that can be made no text is passed on, and otherwise left out or refused", () => {
  it.each([
    ["a tool's type", { tools: [{ type: odd, name: "t" }] }],
    ["a reference to a tool", result({ type: "tool_reference", tool_name: odd })],
    ["a block's type", result({ type: odd })],
    ["the type of a document's block", said({ type: "document", source })],
    ["the number of answers", { n: odd, best_of: odd }],
    ["the type of an edit", { context_management: { edits: [{ type: odd }] } }],
  ])("messages: %s", async (_, more) => {
    const body = { model: "acme/talk", max_tokens: 5, messages: [{ role: "user", content: "hi" }], ...more };
    expect((await exchange(messagesForm, body, answeringWhole(), claude)).status).toBe(200);
    expect([200, 400]).toContain((await exchange(messagesForm, body, hello)).status);
    const call = { body: Buffer.from(JSON.stringify(body)), credential: { hash: "key" }, headers: {} };
    const counting = countMessageTokens(deps as unknown as RelayDeps, call as unknown as ModelCall);
    expect((await counting).status).toBe(200);
  });

  it.each([
    ["a tool's name", { tools: [{ type: "function", name: odd, parameters: odd }] }],
    ["the tools of a namespace", { tools: [{ type: "namespace", tools: [{ type: odd }, odd] }] }],
    ["the tools that are allowed", { tool_choice: { type: "allowed_tools", mode: odd, tools: [odd, 5] } }],
    ["an address", part({ type: "input_image", image_url: odd })],
    ["a file", part({ type: "input_file", file_data: odd, filename: odd })],
    ["a video", part({ type: "input_video", video_url: odd })],
    ["a text", part({ type: "input_text", text: odd })],
    ["a call's arguments", item({ type: "function_call", call_id: odd, name: odd, arguments: odd })],
    ["a tool's output", output(odd)],
    ["parts of an output", output([odd, 5, { type: odd }])],
    ["a thought", item({ type: "reasoning", summary: odd, ...thought })],
    ["the number of answers", { n: odd, best_of: odd }],
    ["the format of the text", { text: { format: odd, verbosity: odd } }],
    ["what to include", { include: odd, service_tier: odd, metadata: odd }],
    ["how to think", { reasoning: { effort: odd, mode: odd, summary: odd } }],
    ["the context", { context_management: odd, prompt: odd }],
  ])("responses: %s", async (_, more) => {
    const body = { model: "acme/talk", input: "hi", ...more };
    expect((await exchange(responsesForm, body, responding(), { preset: "openai" })).status).toBe(200);
    expect([200, 400]).toContain((await exchange(responsesForm, body, hello)).status);
  });

  it.each([
    ["a tool's type", { tools: [{ type: odd }] }],
    ["the type of a part of a prediction", { prediction: { type: "content", content: [{ type: odd }] } }],
  ])("chat: %s", async (_, more) => {
    const body = { model: "acme/talk", messages: [{ role: "user", content: "hi" }], ...more };
    expect([200, 400]).toContain((await exchange(chatForm, body, hello)).status);
  });
});
