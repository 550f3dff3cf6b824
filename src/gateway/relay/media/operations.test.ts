import { beforeEach, describe, expect, it } from "vitest";
import type { ModelPricing } from "#contract/providers.ts";
import { caughtUp } from "../../testing/caught-up.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { withOperation } from "../../testing/scripted-setup.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";
import { wave } from "../../testing/wave.ts";

interface Row {
  readonly type: "image" | "speech" | "transcription" | "rerank";
  readonly path: string;
  readonly body: object;
  readonly pricing: ModelPricing;
  readonly answer: ScriptedAnswer;
  /** USD */
  readonly cost: number;
  /** a limit that has room for a part of one call, and what would fit */
  readonly poor: number;
  readonly fits: object;
  /** a limit that has room for six of twenty calls; null: how many fit depends on when which is over */
  readonly six: number | null;
  /** what a workspace that keeps bodies keeps */
  readonly kept: { readonly input: object; readonly output: object };
  readonly named: string;
  readonly hint: RegExp;
  readonly modality: string;
  /** a member that some vendors bill, at a price of their own */
  readonly billed: object;
}

const png = "iVBORw0KGgo=";
const audio = { data: wave(3).toString("base64"), format: "wav" };
const scores = [{ index: 0, relevance_score: 0.5 }];

const operations: Row[] = [
  {
    type: "image",
    path: "/images",
    body: { prompt: "A red gate", n: 1 },
    pricing: { prompt: "0", output_image: "0.04" },
    answer: json({ created: 1, data: [{ b64_json: png }] }),
    cost: 0.04,
    poor: 0.03,
    fits: { images: 0 },
    six: 0.25,
    kept: { input: { prompt: "A red gate" }, output: { completion: null } },
    named: "an image model",
    hint: /GET \/images\/models/,
    modality: "image",
    billed: { steps: 50 },
  },
  {
    type: "speech",
    path: "/audio/speech",
    body: { input: "The gate is red.", voice: "alloy" },
    pricing: { prompt: "0", character: "0.000001" },
    answer: { headers: { "content-type": "audio/mpeg" }, pieces: ["\xff\xf3"] },
    cost: 0.000016,
    poor: 0.00001,
    fits: { characters: 10 },
    six: 0.0001,
    kept: { input: { prompt: "The gate is red." }, output: { completion: null } },
    named: "a speech model",
    hint: /output_modalities=speech/,
    modality: "speech",
    billed: { quality: "hd" },
  },
  {
    type: "transcription",
    path: "/audio/transcriptions",
    body: { input_audio: audio },
    pricing: { prompt: "0", second: "0.000001" },
    answer: json({ text: "The gate is red.", usage: { type: "duration", seconds: 3 } }),
    cost: 0.000003,
    poor: 0.000002,
    fits: { audio_percent: 49 },
    six: null,
    kept: {
      input: { prompt: '{"type":"input_audio","format":"wav"}' },
      output: { completion: "The gate is red." },
    },
    named: "a transcription model",
    hint: /output_modalities=transcription/,
    modality: "transcription",
    billed: { diarize: true },
  },
  {
    type: "rerank",
    path: "/rerank",
    body: { query: "red", documents: ["a red gate"] },
    pricing: { prompt: "0.000001" },
    answer: json({ results: scores, usage: { total_tokens: 4 } }),
    cost: 0.000004,
    poor: 0.00001,
    fits: { documents: 0 },
    six: null,
    kept: { input: { prompt: "red\na red gate" }, output: { completion: null } },
    named: "a rerank or embedding model",
    hint: /output_modalities=rerank,embeddings/,
    modality: "rerank",
    billed: { service_tier: "priority" },
  },
];

describeGateway("operations of media and rerank", (gateway) => {
  describe.each(operations)("a call of $path", ({ type, path, body, pricing, answer, cost, ...row }) => {
    const model = (id: string, price: ModelPricing | null) => ({ id, upstream_id: "m-1", type, pricing: price });
    const { vendor, second, key, ask, begin, spent, ...called } = withOperation(gateway, {
      path,
      body,
      answer,
      models: [
        model("acme/model", pricing),
        model("acme/unpriced", null),
        { id: "acme/talk", upstream_id: "talk", type: "chat", pricing: { prompt: "0.000001" } },
      ],
    });
    let workspace = "";
    let member = "";
    beforeEach(async () => {
      ({ id: workspace } = await makeWorkspace(gateway(), { is_observability_io_logging_enabled: true }));
      ({ key: member } = await makeKey(gateway(), { workspace_id: workspace }));
    });

    it("is completed by a preset that names its model, without the preset's members for chats", async () => {
      const config = { model: "acme/model", top_p: 0.5 };
      const preset = { workspace_id: workspace, slug: "studio", name: "Studio", config };
      expect((await gateway().call("POST", "/presets", { body: preset })).status).toBe(201);
      const answered = await ask({ model: "@preset/studio" }, { key: member });
      expect(answered.status, answered.text).toBe(200);
      expect(vendor().requests.at(-1)?.body).not.toContain("top_p");
      expect(await called.row(answered)).toMatchObject({ preset: "studio" });
    });

    it("keeps the texts of it where the workspace asks for them, and no media", async () => {
      const answered = await ask({}, { key: member });
      const id = answered.headers.get("x-generation-id");
      const content = await gateway().call("GET", `/generation/content?id=${id}`);
      expect(content.json.data).toMatchObject(row.kept);
      expect(content.text).not.toMatch(new RegExp(`${png}|${audio.data.slice(0, 40)}`));
    });

    it("402: what it may cost, and how much of it would fit; and a model without a price at a limit", async () => {
      const poor = await makeKey(gateway(), { limit: row.poor });
      const refused = await ask({}, { key: poor.key });
      expectError(refused, "payment_required", /may cost up to/);
      expect(refused.json.error.metadata.fits).toEqual(row.fits);
      expectError(await ask({ model: "acme/unpriced" }), "payment_required", /has no price/);
      expect(vendor().requests).toHaveLength(0);
    });

    it("402 at a limit alone: a member that some vendors bill on top of the price", async () => {
      const [name = ""] = Object.keys(row.billed);
      expectError(await ask(row.billed), "payment_required", new RegExp(`^${name} has no price at`));
      expect((await ask(row.billed, { key: member })).status).toBe(200);
      expect(vendor().requests.at(-1)?.body).toContain(name);
    });

    it("404: a chat model here, its model in a chat, and a model that nobody offers", async () => {
      expectError(await ask({ model: "acme/talk" }), "not_found", `acme/talk is not ${row.named}`);
      expectError(await ask({ model: "acme/none" }), "not_found", row.hint);
      const chat = { model: "acme/model", messages: [{ role: "user", content: "a" }] };
      const refused = await gateway().call("POST", "/chat/completions", { key: key(), body: chat });
      expectError(refused, "not_found", /acme\/model is not a chat model/);
    });

    it("20 at once spend no more than the limit, and all of it that calls fit into", async () => {
      const { key: poor, record } = await makeKey(gateway(), { limit: row.six ?? cost * 60 });
      const answers = await Promise.all(Array.from({ length: 20 }, async () => await ask({}, { key: poor })));
      const served = answers.filter(({ status }) => status === 200).length;
      expect(answers.filter(({ status }) => status === 402)).toHaveLength(20 - served);
      if (row.six === null) expect(served).toBeGreaterThan(0);
      else expect(served).toBe(6);
      const { usage, limit } = (await gateway().call("GET", `/keys/${record.hash}`)).json.data;
      expect(usage).toBeCloseTo(served * cost, 9);
      expect(usage).toBeLessThanOrEqual(limit);
    });

    it("goes to the cheaper provider when it is sorted by price", async () => {
      const models = [model("acme/model", { prompt: "0" })];
      expect((await gateway().call("PATCH", "/providers/second", { body: { models } })).status).toBe(200);
      expect((await ask({ provider: { sort: "price" } })).status).toBe(200);
      expect([vendor().requests.length, second().requests.length]).toEqual([0, 1]);
    });

    it("is paid by a caller who leaves before the answer", async () => {
      const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
      vendor().answer({ ...answer, hold: { from: 0, until } });
      const leaving = new AbortController();
      const left = begin({}, leaving.signal).catch(() => null);
      await eventually(
        () => vendor().requests.length,
        (count) => count === 1,
      );
      leaving.abort();
      await left;
      await caughtUp(gateway(), key());
      goOn();
      expect(await eventually(spent, (usd) => usd > 0)).toBe(cost);
    });

    it.each(type === "rerank" ? [] : [type])("of %s has options for its own provider, and for no other", async () => {
      const options = { acme: { tone: "warm" }, second: { tone: "cold" } };
      await ask({ provider: { only: ["acme"], options } });
      expect(vendor().requests.at(-1)?.body).toMatch(/tone[^]*warm/);
      expect(vendor().requests.at(-1)?.body).not.toMatch(/cold|provider/);
      const inside = { acme: { callback: "http://127.0.0.1/" } };
      expectIssues(await ask({ provider: { options: inside } }), "provider.options.acme.callback");
    });

    it("is of a model that is listed among those of its kind alone, with its price", async () => {
      const listed = async (search: string) =>
        (await gateway().call("GET", `/models${search}`, { key: null })).json.data.find(
          ({ id }: { id: string }) => id === "acme/model",
        );
      const record = await listed(`?output_modalities=${row.modality}`);
      expect(record.architecture.output_modalities).toEqual([row.modality]);
      expect(record.pricing).toMatchObject(pricing);
      expect(await listed("")).toBeUndefined();
    });
  });
});
