import { beforeEach, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { answeringWhole } from "../../testing/messages-answers.ts";
import { withClaude } from "../../testing/scripted-setup.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

/** JavaScript makes neither a text nor a number of it. */
const odd = { toString: 1, valueOf: 1 };
const user = (block: object) => ({ messages: [{ role: "user", content: [block] }] });
const result = (block: object) => user({ type: "tool_result", tool_use_id: "t", content: [block] });

describeGateway("a member that can be made no text", (gateway) => {
  const vendor = withClaude(gateway);
  withVendor(gateway, {
    provider: { models: [{ id: "acme/talk", upstream_id: "talk", type: "chat", name: "Talk" }] },
  });
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway()));
    vendor().answer(answeringWhole());
  });
  const post = async (path: string, body: object) => {
    const asked = { max_tokens: 5, messages: [{ role: "user", content: "hi" }], ...body };
    return (await gateway().call("POST", path, { key, body: asked })).status;
  };

  it.each([
    ["a tool's type", { tools: [{ type: odd, name: "t" }] }],
    ["a reference to a tool", result({ type: "tool_reference", tool_name: odd })],
    ["a block's type", result({ type: odd })],
    [
      "the type of a document's block",
      user({ type: "document", source: { type: "content", content: [{ type: odd }] } }),
    ],
    ["the number of answers", { n: odd, best_of: odd }],
    ["the type of an edit", { context_management: { edits: [{ type: odd }] } }],
  ])("%s is passed on, and otherwise left out or refused", async (_, body) => {
    expect(await post("/messages", { model: "acme/claude", ...body })).toBe(200);
    expect([200, 400]).toContain(await post("/messages", { model: "acme/talk", ...body }));
    expect(await post("/messages/count_tokens", { model: "acme/claude", ...body })).toBe(200);
  });

  it.each([
    ["a tool's type", { tools: [{ type: odd }] }],
    ["the type of a part of a prediction", { prediction: { type: "content", content: [{ type: odd }] } }],
  ])("%s of a chat is no defect", async (_, body) => {
    expect(await post("/chat/completions", { model: "acme/talk", ...body })).toBeLessThan(500);
  });
});
