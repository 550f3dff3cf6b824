import { beforeEach, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { answeringWhole } from "../../testing/responses-answers.ts";
import { withResponder } from "../../testing/scripted-setup.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

/** JavaScript makes neither a text nor a number of it. */
const odd = { toString: 1, valueOf: 1 };
const item = (members: object) => ({ input: [members] });
const user = (part: object) => item({ role: "user", content: [part] });

describeGateway("a member of responses that can be made no text", (gateway) => {
  const vendor = withResponder(gateway);
  withVendor(gateway, {
    provider: { models: [{ id: "acme/talk", upstream_id: "talk", type: "chat", name: "Talk" }] },
  });
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway()));
    vendor().answer(answeringWhole());
  });
  const post = async (body: object) =>
    (await gateway().call("POST", "/responses", { key, body: { input: "hi", ...body } })).status;

  it.each([
    ["a tool's name", { tools: [{ type: "function", name: odd, parameters: odd }] }],
    ["the tools of a namespace", { tools: [{ type: "namespace", tools: [{ type: odd }, odd] }] }],
    ["the tools that are allowed", { tool_choice: { type: "allowed_tools", mode: odd, tools: [odd, 5] } }],
    ["an address", user({ type: "input_image", image_url: odd })],
    ["a file", user({ type: "input_file", file_data: odd, filename: odd })],
    ["a video", user({ type: "input_video", video_url: odd })],
    ["a text", user({ type: "input_text", text: odd })],
    ["a call's arguments", item({ type: "function_call", call_id: odd, name: odd, arguments: odd })],
    ["a tool's output", item({ type: "function_call_output", call_id: odd, output: odd })],
    ["parts of an output", item({ type: "function_call_output", call_id: "c", output: [odd, 5, { type: odd }] })],
    [
      "a thought",
      item({
        type: "reasoning",
        summary: odd,
        content: [{ type: "reasoning_text", text: odd }],
        signature: odd,
        format: odd,
      }),
    ],
    ["the number of answers", { n: odd, best_of: odd }],
    ["the format of the text", { text: { format: odd, verbosity: odd } }],
    ["what to include", { include: odd, service_tier: odd, metadata: odd }],
    ["how to think", { reasoning: { effort: odd, mode: odd, summary: odd } }],
    ["the context", { context_management: odd, prompt: odd }],
  ])("%s is passed on, and otherwise left out or refused", async (_, body) => {
    expect(await post({ model: "acme/thinker", ...body })).toBe(200);
    expect([200, 400]).toContain(await post({ model: "acme/talk", ...body }));
  });
});
