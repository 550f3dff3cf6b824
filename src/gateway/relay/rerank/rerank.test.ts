import { OpenRouter as OpenRouter128 } from "openrouter-sdk-1-2-8";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { describe, expect, it } from "vitest";
import { RerankResult } from "#contract/rerank.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import type { VendorFault } from "../../testing/fake-vendor.ts";
import { makeKey } from "../../testing/factories.ts";
import { scoreOf, vectorOf } from "../../testing/vendor-answers.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

const query = "red gate";
const documents = ["a blue door", "the red gate", "a red wall"];
const ranked = [1, 2, 0];

const priced = (pricing: object) => ({ type: "rerank" as const, name: "Rank", context_length: 8_192, pricing });
const scores = (one: string, times = 1) => `{"results":[${Array.from({ length: times }, () => one).join()}]}`;
const image = `data:image/png;base64,${"A".repeat(40)}`;

describeGateway("rerank through a provider", (gateway) => {
  const vendor = withVendor(gateway, {
    provider: {
      models: [
        { id: "acme/rank", upstream_id: "rank-1", ...priced({ prompt: "0.000001" }) },
        { id: "acme/unpriced", upstream_id: "rank-2", ...priced({}), pricing: null },
        { id: "acme/short", upstream_id: "rank-3", ...priced({ prompt: "0.000001" }), context_length: 512 },
        { id: "acme/talk", upstream_id: "talk", type: "chat", pricing: { prompt: "0.000001" } },
      ],
    },
  });
  const rank = async (body: object, key?: string) =>
    await gateway().call("POST", "/rerank", {
      key: key ?? (await makeKey(gateway())).key,
      body: { model: "acme/rank", query, documents, ...body },
    });
  const row = async (id: string | null) => await ledgerRow(gateway(), id);
  const order = (answer: { json: RerankResult }) => answer.json.results.map(({ index }) => index);

  describe("one call", () => {
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
      expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
        api_type: "rerank",
        model: "acme/rank",
        provider: "acme",
        cost: 15_000n,
        prompt_tokens: 15,
        inputs: 3,
        metered_by: "upstream",
        status: 200,
      });
    });

    it("cuts to top_n, and asks the vendor for no more; members that are the vendor's are passed on", async () => {
      const answer = await rank({ top_n: 2, max_chunks_per_doc: 4, return_documents: true });
      expect(order(answer)).toEqual([1, 2]);
      const sent = vendor().requests.at(-1)?.body;
      expect(sent).toMatchObject({ top_n: 2, max_chunks_per_doc: 4, return_documents: false });
      expect(order(await rank({ top_n: 9 }))).toEqual(ranked);
    });

    it("takes documents as objects, and answers with them as they were sent", async () => {
      const answer = await rank({ documents: documents.map((text) => ({ text })) });
      expect(answer.json.results[0]).toMatchObject({ index: 1, document: { text: "the red gate" } });
      expect(vendor().requests.at(-1)?.body.documents).toEqual(documents);
    });

    it("counts by itself, and says so, when the vendor's usage is missing or nonsense", async () => {
      for (const usage of ["absent", "negative", "text", "immense"] as const) {
        vendor().settings.usage = usage;
        const answer = await rank({});
        expect(answer.json.usage).toMatchObject({ total_tokens: 15, cost: 0.000015 });
      }
      vendor().settings.usage = "absent";
      const answer = await rank({});
      expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ metered_by: "gateway" });
    });

    it("400: what is missing, empty, too many, or of another form", async () => {
      expectIssues(await rank({ query: "" }), "query");
      expectIssues(await rank({ documents: [] }), "documents");
      expectIssues(await rank({ documents: Array.from({ length: 2_049 }, () => "a") }), "documents");
      expectIssues(await rank({ documents: ["a", {}] }), "documents.1");
      expectIssues(await rank({ documents: ["a", 3] }), "documents.1");
      expectIssues(await rank({ top_n: 0 }), "top_n");
      expectIssues(await rank({ documents: ["a", { image }] }), "documents");
      expectIssues(await rank({ documents: [{ image: "http://169.254.169.254/latest" }] }), "documents.0.image");
      expect(vendor().calls()).toBe(0);
    });

    it("404: a chat model, and a model that nobody offers", async () => {
      expectError(await rank({ model: "acme/talk" }), "not_found", /acme\/talk is not a rerank or embedding model/);
      expectError(await rank({ model: "acme/none" }), "not_found", /output_modalities=rerank,embeddings/);
    });

    it.each([
      ["a status of 500", { type: "status", status: 500 }],
      ["a connection that breaks", { type: "reset" }],
      ["an answer that is cut", { type: "cut", afterBytes: 20 }],
      ["no results", { type: "body", body: "[]" }],
      ["a document that there is not", { type: "body", body: scores('{"index":3,"relevance_score":1}') }],
      ["a document twice", { type: "body", body: scores('{"index":0,"relevance_score":1}', 2) }],
      ["a score that is a text", { type: "body", body: scores('{"index":0,"relevance_score":"high"}') }],
      ["5,000 levels", { type: "body", body: `{"results":${"[".repeat(5_000)}${"]".repeat(5_000)}}` }],
    ] as [string, VendorFault][])("%s is the provider's fault", async (_, fault) => {
      vendor().fail(fault);
      const answer = await rank({});
      expect(answer.status, answer.text).toBeGreaterThanOrEqual(500);
      expect(answer.json.error.message).toMatch(/acme/);
      vendor().reset();
      gateway().clock.advance(3_600_000);
      expect((await rank({})).status).toBe(200);
    });

    it("never says the vendor's key, though the vendor does", async () => {
      vendor().fail({ type: "status", status: 400, message: "bad key sk-vendor-0123456789abcdef" });
      const answer = await rank({});
      expect(answer.text).not.toContain("0123456789abcdef");
      gateway().clock.advance(3_600_000);
    });
  });

  describe("limits", () => {
    it("402: what the documents may cost at most, and how many of them would fit", async () => {
      const { key } = await makeKey(gateway(), { limit: 0.00004 });
      const answer = await rank({}, key);
      expectError(answer, "payment_required", /may cost up to/);
      expect(answer.json.error.metadata.fits).toEqual({ documents: 1 });
      expect(vendor().calls()).toBe(0);
    });

    it("402: a model without a price, for a key with a limit", async () => {
      const { key } = await makeKey(gateway(), { limit: 1 });
      expectError(await rank({ model: "acme/unpriced" }, key), "payment_required", /has no price/);
      expect((await rank({ model: "acme/unpriced" })).json.usage.cost).toBe(0);
    });

    it.each(["right", "absent"] as const)(
      "402: documents beyond the model's context, which would be charged whole where the usage is %s",
      async (usage) => {
        const { key } = await makeKey(gateway(), { limit: 0.001 });
        vendor().settings.usage = usage;
        const long = { model: "acme/short", documents: ["word ".repeat(3_000)] };
        expectError(await rank(long, key), "payment_required", /may cost up to/);
        expect(vendor().calls()).toBe(0);
        expect((await rank(long)).json.usage.cost).toBeGreaterThan(0.003);
      },
    );

    it("20 at once spend no more than the limit", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 0.0003 });
      const answers = await Promise.all(Array.from({ length: 20 }, () => rank({}, key)));
      const spent = answers.reduce((sum, { json }) => sum + (json.usage?.cost ?? 0), 0);
      expect(answers.some(({ status }) => status === 402)).toBe(true);
      expect(spent).toBeLessThanOrEqual(0.0003);
      const { data } = (await gateway().call("GET", `/keys/${record.hash}`)).json;
      expect(data.usage).toBeCloseTo(spent, 9);
    });

    it("charges the most that a vendor may bill which took the call and never answered", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 1 });
      vendor().fail({ type: "reset" });
      expect((await rank({}, key)).status).toBeGreaterThanOrEqual(500);
      gateway().clock.advance(3_600_000);
      const { data } = (await gateway().call("GET", `/keys/${record.hash}`)).json;
      // three times the query's 16 and the document's bytes and 8
      expect(data.usage).toBeCloseTo((3 * 16 + 11 + 12 + 10 + 24) / 1e6, 9);
    });
  });

  it.each([
    ["1.2.8", OpenRouter128 as unknown as typeof OpenRouter],
    ["1.3.19", OpenRouter],
  ])("@openrouter/sdk %s takes the answer", async (_, Client) => {
    const { key } = await makeKey(gateway());
    const client = new Client({ apiKey: key, serverURL: `${gateway().url}/api/v1`, retryConfig: { strategy: "none" } });
    const result = await client.rerank.rerank({ requestBody: { model: "acme/rank", query, documents } });
    if (typeof result === "string") throw new Error("a stream came");
    expect(result.results.map(({ index, document }) => [index, document.text])).toEqual(
      ranked.map((index) => [index, documents[index]]),
    );
    expect(result.usage).toMatchObject({ totalTokens: 15 });
  });
});

describe("rerank in each vendor's dialect", () => {
  describeGateway("a provider", (gateway) => {
    const models = (id: string, pricing: object) => [{ id, upstream_id: "rank", ...priced(pricing) }];
    const vendor = withVendor(gateway);
    const at = async (slug: string, body: object, provider: object = {}) => {
      const created = await gateway().call("POST", "/providers", {
        body: {
          slug,
          name: slug,
          kind: "openai-compatible",
          base_url: vendor().baseUrl,
          models: models(`${slug}/rank`, { prompt: "0.000001" }),
          ...provider,
        },
      });
      expect(created.status, created.text).toBe(201);
      const { key } = await makeKey(gateway());
      const answer = await gateway().call("POST", "/rerank", {
        key,
        body: { model: `${slug}/rank`, query, documents, ...body },
      });
      await gateway().call("DELETE", `/providers/${slug}`);
      return answer;
    };
    const order = ({ json }: { json: RerankResult }) => json.results.map(({ index }) => index);

    it("Voyage: top_k, and scores in data", async () => {
      const answer = await at("voyage", { top_n: 2 }, { preset: "voyage" });
      expect(order(answer)).toEqual([1, 2]);
      expect(vendor().requests.at(-1)?.body).toMatchObject({ top_k: 2 });
      expect(vendor().requests.at(-1)?.body).not.toHaveProperty("top_n");
    });

    it("Cohere: charged by search units, one for each hundred documents", async () => {
      const many = Array.from({ length: 101 }, (_, at) => `document ${at}`);
      const provider = {
        kind: "cohere",
        preset: "cohere",
        base_url: `${vendor().url}/cohere/v2`,
        models: models("cohere/rank", { prompt: "0", request: "0.002" }),
      };
      const answer = await at("cohere", { documents: many }, provider);
      expect(answer.json.usage).toEqual({ cost: 0.004, is_byok: false, search_units: 2 });
      expect(answer.json.results).toHaveLength(101);
    });

    it("text-embeddings-inference: texts, beside /v1, and a bare list of scores", async () => {
      const answer = await at("tei", { top_n: 1 }, { preset: "tei" });
      expect(order(answer)).toEqual([1]);
      expect(vendor().requests.at(-1)).toMatchObject({
        path: "/rerank",
        body: { query, texts: documents, return_text: false, truncate: true },
      });
    });

    it("Jina: images as they are, where the model takes them", async () => {
      const models = [
        { id: "jina/rank", upstream_id: "m0", ...priced({ prompt: "0" }), input_modalities: ["text", "image"] },
      ];
      const answer = await at("jina", { documents: ["red", { image }] }, { preset: "jina", models });
      expect(order(answer)).toEqual([0, 1]);
      expect(answer.json.results[1].document).toEqual({ image });
      expect(vendor().requests.at(-1)?.body.documents).toEqual(["red", { image }]);
    });

    it("a vendor without rerank models is not asked, and kinds without them take none", async () => {
      expectIssues(await at("openai", {}, { preset: "openai" }), "documents");
      const wrong = { slug: "anthropic", name: "A", kind: "anthropic", preset: "anthropic", api_key: "k" };
      const answer = await gateway().call("POST", "/providers", {
        body: { ...wrong, models: models("anthropic/rank", { prompt: "0" }) },
      });
      expectIssues(answer, "models.0.type");
      expect(vendor().calls()).toBe(0);
    });
  });
});

describeGateway("rerank on an embedding model", (gateway) => {
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
    expect(answer.json.results.map(({ index }: { index: number }) => index)).toEqual(
      expected.map(({ index }) => index),
    );
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
    expect(answer.json.results.map(({ index }: { index: number }) => index)).toEqual(ranked);
    expect(answer.json.usage.cost).toBe(0);
  });
});
