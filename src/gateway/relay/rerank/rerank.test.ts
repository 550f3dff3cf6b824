import { describe, expect, it } from "vitest";
import { RerankResult } from "#contract/rerank.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey } from "../../testing/factories.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { scoreOf, vectorOf } from "../../testing/vendor-answers.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

const query = "red gate";
const documents = ["a blue door", "the red gate", "a red wall"];
const ranked = [1, 2, 0];
const image = `data:image/png;base64,${"A".repeat(40)}`;
const ranks = (id: string, more: object = {}) => ({
  id,
  upstream_id: "rank-1",
  type: "rerank" as const,
  context_length: 8_192,
  pricing: { prompt: "0.000001" },
  ...more,
});
const order = ({ json }: { json: RerankResult }) => json.results.map(({ index }) => index);

describeGateway("createRerank", (gateway) => {
  describe("at a rerank model", () => {
    const vendor = withVendor(gateway, { provider: { models: [ranks("acme/rank")] } });
    const rank = async (body: object) =>
      await gateway().call("POST", "/rerank", {
        key: (await makeKey(gateway())).key,
        body: { model: "acme/rank", query, documents, ...body },
      });

    it("200: the documents by their scores, with what it cost, and the row", async () => {
      const answer = await rank({});
      expect(answer.status, answer.text).toBe(200);
      expect(RerankResult.parse(answer.json)).toEqual(answer.json);
      expect(answer.json.results).toEqual(
        ranked.map((index) => ({
          index,
          relevance_score: scoreOf(query, documents[index] ?? ""),
          document: { text: documents[index] },
        })),
      );
      expect(answer.json).toMatchObject({
        model: "acme/rank",
        provider: "acme",
        usage: { cost: 0.000015, total_tokens: 15, is_byok: false },
      });
      expect(vendor().requests.at(-1)).toMatchObject({
        path: "/v1/rerank",
        body: { model: "rank-1", query, documents, return_documents: false },
      });
      expect(await ledgerRow(gateway(), answer.headers.get("x-generation-id"))).toMatchObject({
        api_type: "rerank",
        model: "acme/rank",
        cost: 15_000n,
        prompt_tokens: 15,
        inputs: 3,
        metered_by: "upstream",
      });
      vendor().settings.usage = "absent";
      const uncounted = await rank({});
      expect(uncounted.json.usage).toMatchObject({ total_tokens: 15, cost: 0.000015 });
      const row = await ledgerRow(gateway(), uncounted.headers.get("x-generation-id"));
      expect(row).toMatchObject({ metered_by: "gateway" });
    });

    it("cuts to top_n, and asks the vendor for no more", async () => {
      const answer = await rank({ top_n: 2, return_documents: true });
      expect(order(answer)).toEqual([1, 2]);
      expect(vendor().requests.at(-1)?.body).toMatchObject({ top_n: 2, return_documents: false });
      expect(order(await rank({ top_n: 9 }))).toEqual(ranked);
    });

    it("takes documents as objects, and answers with them as they were sent", async () => {
      const answer = await rank({ documents: documents.map((text) => ({ text })) });
      expect(answer.json.results[0]).toMatchObject({ index: 1, document: { text: "the red gate" } });
      expect(vendor().requests.at(-1)?.body.documents).toEqual(documents);
    });

    it("200: images, where a vendor ranks them; and search units, where one counts those", async () => {
      const add = async (body: object) =>
        expect((await gateway().call("POST", "/providers", { body: { name: "A", ...body } })).status).toBe(201);
      const models = [ranks("jina/rank", { input_modalities: ["text", "image"] })];
      const at = { kind: "openai-compatible", base_url: vendor().baseUrl };
      await add({ slug: "jina", preset: "jina", ...at, models });
      const answer = await rank({ model: "jina/rank", documents: ["red", { image }] });
      expect(answer.json.results[1].document).toEqual({ image });
      const units = [ranks("cohere/rank", { pricing: { prompt: "0", request: "0.002" } })];
      await add({
        slug: "cohere",
        kind: "cohere",
        preset: "cohere",
        base_url: `${vendor().url}/cohere/v2`,
        models: units,
      });
      const many = Array.from({ length: 101 }, (_, at) => `document ${at}`);
      const { usage } = (await rank({ model: "cohere/rank", documents: many })).json;
      expect(usage).toEqual({ cost: 0.004, is_byok: false, search_units: 2 });
    });

    it("400: images where none are ranked, or in a private network; and kinds without such models take none", async () => {
      expectIssues(await rank({ documents: ["a", { image }] }), "documents");
      expectIssues(await rank({ documents: [{ image: "http://169.254.169.254/latest" }] }), "documents.0.image");
      const wrong = { slug: "anthropic", name: "A", kind: "anthropic", preset: "anthropic", api_key: "k" };
      const body = { ...wrong, models: [ranks("anthropic/rank")] };
      expectIssues(await gateway().call("POST", "/providers", { body }), "models.0.type");
      expect(vendor().calls()).toBe(0);
    });
  });

  describe("at an embedding model", () => {
    const vendor = withVendor(gateway, { embed: { query_prefix: "query: ", document_prefix: "document: " } });
    const rank = async (body: object, key?: string) =>
      await gateway().call("POST", "/rerank", {
        key: key ?? (await makeKey(gateway())).key,
        body: { model: "acme/embed", query, documents, ...body },
      });

    it("spends no more than the limit on a document that is cut, where the vendor reports no usage", async () => {
      vendor().settings.usage = "absent";
      const { key } = await makeKey(gateway(), { limit: 0.02 });
      const answer = await rank({ query: "a cut text", documents: ["word ".repeat(50_000)] }, key);
      expect(answer.status, answer.text.slice(0, 300)).toBe(200);
      expect(answer.json.usage.total_tokens).toBeLessThanOrEqual(2 * 8_192);
    });

    it("200: by cosine similarity, the query embedded as a query and the documents as documents", async () => {
      const answer = await rank({});
      expect(answer.status, answer.text).toBe(200);
      const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
      const asQuery = vectorOf(`query: ${query}`, 4);
      const expected = documents
        .map((text, index) => ({ index, score: dot(asQuery, vectorOf(`document: ${text}`, 4)) }))
        .toSorted((a, b) => b.score - a.score);
      expect(order(answer)).toEqual(expected.map(({ index }) => index));
      for (const [at, { score }] of expected.entries()) {
        expect(answer.json.results[at].relevance_score).toBeCloseTo(score, 5);
      }
      expect(vendor().requests.map(({ body }) => body.input)).toEqual(
        expect.arrayContaining([["query: red gate"], documents.map((text) => `document: ${text}`)]),
      );
      expect(answer.json.usage).toEqual({ cost: 0.000015, is_byok: false, total_tokens: 15 });
      const row = await ledgerRow(gateway(), answer.json.id);
      expect(row).toMatchObject({ api_type: "rerank", inputs: 3, cost: 15_000n, model: "acme/embed" });
    });

    it("uses vectors that the cache has, and charges only for the others", async () => {
      const { key } = await makeKey(gateway());
      await rank({ query: "cached gate" }, key);
      const again = await rank({ query: "cached gate", documents: [...documents, "a new gate"] }, key);
      expect(again.json.usage.cost).toBe(0.000004);
    });

    it("402 within a limit, in the members of a rerank call where the documents are at fault", async () => {
      const { key } = await makeKey(gateway(), { limit: 0.00001 });
      expectError(await rank({ query: "never asked" }, key), "payment_required", /may cost up to/);
      expectIssues(await rank({ documents: ["a", { image }] }), "documents");
      expectIssues(await rank({ documents: ["a", { image: "ftp://example.com/a.png" }] }), "documents.1.image");
    });

    it("works on a built-in model, for nothing and without a provider", async () => {
      const answer = await rank({ model: "gatehouse/lexical" });
      expect(order(answer)).toEqual(ranked);
      expect(answer.json.usage.cost).toBe(0);
    });
  });
});
