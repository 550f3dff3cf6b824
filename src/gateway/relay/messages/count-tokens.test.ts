import { beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";

describeGateway("counting without a call", (gateway) => {
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway()));
  });
  const count = async (body: object) => await gateway().call("POST", "/messages/count_tokens", { key, body });
  const messages = [{ role: "user", content: "How many tokens are these few words?" }];

  describe("countMessageTokens", () => {
    it("200: an estimate that says so, larger with a system prompt, with tools and with an image", async () => {
      const answer = await count({ model: "any/model", messages });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-token-count")).toBe("estimate");
      const { input_tokens: plain } = answer.json;
      expect(plain).toBeGreaterThan(5);
      expect(plain).toBeLessThan(30);
      const tokens = async (more: object) => (await count({ model: "any/model", messages, ...more })).json.input_tokens;
      expect(await tokens({ system: "Be brief." })).toBeGreaterThan(plain);
      expect(await tokens({ tools: [{ name: "f", input_schema: { type: "object" } }] })).toBeGreaterThan(plain);
      const source = { type: "base64", media_type: "image/png", data: "AAAA" };
      expect(await tokens({ messages: [{ role: "user", content: [{ type: "image", source }] }] })).toBeGreaterThan(
        1_567,
      );
    });

    it("400: in the dialect's form, naming the member", async () => {
      const answer = await count({ model: "any/model" });
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        type: "error",
        error: { type: "invalid_request_error", message: expect.stringContaining("messages") },
        request_id: answer.headers.get("request-id"),
      });
    });

    it("401: without a key, in the dialect's form", async () => {
      const answer = await gateway().call("POST", "/messages/count_tokens", { key: null, body: { messages } });
      expect([answer.status, answer.json.error.type]).toEqual([401, "authentication_error"]);
    });
  });
});
