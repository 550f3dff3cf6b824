import { describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey } from "../testing/factories.ts";

const model = "gatehouse/lexical";

describeGateway("embeddings over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const embed = async (body: unknown, key?: string) =>
    call("POST", "/embeddings", { key: key ?? (await makeKey(gateway())).key, body });

  describe("createEmbeddings", () => {
    it("200: one vector per input, in input order, the same for the same input", async () => {
      const answer = await embed({ model, input: ["first", "second", "first"], dimensions: 32 });
      expect(answer.status).toBe(200);
      const { data, usage, object } = answer.json;
      expect(object).toBe("list");
      expect(data.map((item: { index: number }) => item.index)).toEqual([0, 1, 2]);
      expect(data[0].embedding).toHaveLength(32);
      expect(data[0].embedding).toEqual(data[2].embedding);
      expect(data[0].embedding).not.toEqual(data[1].embedding);
      expect(usage).toMatchObject({ prompt_tokens: expect.any(Number), total_tokens: expect.any(Number), cost: 0 });
    });

    it("200: is counted on the key", async () => {
      const { key, record } = await makeKey(gateway());
      await embed({ model, input: "a" }, key);
      const path = `/keys/${record.hash}`;
      expect((await call("GET", `${path}/usage?by=day&last=1`)).json.data.at(-1).requests).toBe(1);
      expect((await call("GET", path)).json.data.last_used_at).toBe(gateway().clock.now().toISOString());
    });

    it.each([
      [{ input: "a" }, /model/],
      [{ model }, /input/],
      [{ model, input: [] }, /input/],
      [{ model, input: { text: "a" } }, /input/],
      [{ model, input: "a", dimensions: 0 }, /dimensions/],
    ])("400: %j", async (body, message) => {
      expectError(await embed(body), "invalid_request", message);
    });

    it("402: when the key's limit is spent, with what it would take; the right limit lets it through", async () => {
      const [lexical] = (await call("GET", "/providers/gatehouse")).json.data.models;
      const price = (prompt: string) =>
        call("PATCH", "/providers/gatehouse", {
          body: { models: [{ ...lexical, pricing: { prompt, completion: "0" } }] },
        });
      expect((await price("0.01")).status).toBe(200);
      try {
        const { key, record } = await makeKey(gateway(), { limit: 0.05 });
        const body = { model, input: "six words that cost six cents" };
        const refused = await embed(body, key);
        expectError(refused, "payment_required", /limit/);
        expect(refused.json.error.metadata).toMatchObject({ limit: 0.05, spent: 0, limit_kind: "key" });
        await call("PATCH", `/keys/${record.hash}`, { body: { limit: 0.1 } });
        const answered = await embed(body, key);
        expect([answered.status, answered.json.usage]).toEqual([200, expect.objectContaining({ cost: 0.06 })]);
        const after = (await call("GET", `/keys/${record.hash}`)).json.data;
        expect(after).toMatchObject({ usage: 0.06, usage_daily: 0.06, limit_remaining: 0.04 });
      } finally {
        await price("0");
      }
    });

    it("404: a model that is not known", async () => {
      expectError(await embed({ model: "nobody/nothing", input: "a" }), "not_found", /nobody\/nothing/);
    });
  });

  describe("listEmbeddingModels", () => {
    it("200: to anyone, the built-in model among them", async () => {
      const { status, json } = await call("GET", "/embeddings/models", { key: null });
      expect(status).toBe(200);
      expect(json.total_count).toBe(json.data.length);
      const record = json.data.find((entry: { id: string }) => entry.id === model);
      expect(record).toMatchObject({ context_length: expect.any(Number), pricing: { prompt: "0" } });
      expect(record.description).toMatch(/wording, not (of |similar )?meaning/);
    });

    it("400: a page that is none", async () => {
      expectError(await call("GET", "/embeddings/models?limit=0", { key: null }), "invalid_request", /limit/);
    });
  });
});
