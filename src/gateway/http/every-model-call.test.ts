import { beforeEach, describe, expect, it } from "vitest";
import { api } from "#contract/api.ts";
import { ledgerRows } from "../domain/ledger/columns.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import type { Answer } from "../testing/gateway.ts";
import { withMediaVendor } from "../testing/scripted-setup.ts";
import { json, type ScriptedAnswer } from "../testing/scripted-vendor.ts";
import { wave } from "../testing/wave.ts";
import type { ModelCallName } from "./route-names.ts";

/** Every price that a type of model may have, so that each call costs something. */
const pricing = { prompt: "0.001", completion: "0.001", request: "0.001", character: "0.001", second: "0.001" };
const model = (type: "embedding" | "rerank" | "chat" | "speech" | "transcription" | "image" | "video") => ({
  id: `acme/${type}`,
  upstream_id: type,
  type,
  name: type,
  context_length: 1_000,
  max_completion_tokens: 10,
  ...(type === "embedding" && { dimensions: 2 }),
  pricing,
});

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const talked = json({
  choices: [{ index: 0, message: { role: "assistant", content: "b" }, finish_reason: "stop" }],
  usage,
});
const painted = json({ created: 1, data: [{ b64_json: "iVBORw0KGgo=" }] });
const messages = [{ role: "user", content: "a" }];

/** What each operation is called with, and what a vendor of OpenAI's dialect answers. */
const operations = {
  createEmbeddings: {
    body: { model: "acme/embedding" },
    answer: json({ data: [{ index: 0, embedding: [1, 0] }], usage }),
  },
  createRerank: {
    body: { model: "acme/rerank", query: "a", documents: ["b"] },
    answer: json({ results: [{ index: 0, relevance_score: 0.5 }], usage }),
  },
  createCompletion: { body: { model: "acme/chat", prompt: "a" }, answer: talked },
  createChatCompletion: { body: { model: "acme/chat", messages }, answer: talked },
  createMessage: { body: { model: "acme/chat", max_tokens: 5, messages }, answer: talked },
  createResponse: { body: { model: "acme/chat", input: "a" }, answer: talked },
  createSpeech: {
    body: { model: "acme/speech", input: "a", voice: "b", response_format: "mp3" },
    answer: { headers: { "content-type": "audio/mpeg" }, pieces: [Buffer.from([0xff, 0xf3])] },
  },
  createTranscription: {
    body: { model: "acme/transcription", input_audio: { data: wave(1).toString("base64"), format: "wav" } },
    answer: json({ text: "a" }),
  },
  createImage: { body: { model: "acme/image", prompt: "a" }, answer: painted },
  createImageByOpenAiPath: { body: { model: "acme/image", prompt: "a" }, answer: painted },
  createVideo: { body: { model: "acme/video", prompt: "a" }, answer: json({ id: "v1", status: "queued" }) },
  // An estimate of the tokens of a message calls no model.
} satisfies Record<Exclude<ModelCallName, "countMessageTokens">, { body: object; answer: ScriptedAnswer }>;

type Operation = keyof typeof operations;

describeGateway("every model call", (gateway) => {
  const vendor = withMediaVendor(gateway, {
    slug: "acme",
    models: (["embedding", "rerank", "chat", "speech", "transcription", "image", "video"] as const).map(model),
  });

  describe.each(Object.keys(operations) as Operation[])("%s", (name) => {
    const { body, answer } = operations[name];
    let key = "";
    let hash = "";
    let texts = 0;
    const call = async (more: object = {}, options: object = {}): Promise<Answer> =>
      await gateway().call("POST", api[name].path, { key, body: { ...body, ...fresh(), ...more }, ...options });
    /** A job is on the ledger once it has ended. */
    const filmed = async (id: string) => {
      vendor().answer(json({ id: "v1", status: "completed" }));
      gateway().clock.advance(1_500);
      // The gateway's own round may have the job in hand at this moment.
      await eventually(
        async () => (await gateway().call("GET", `/videos/${id}`, { key })).json.status,
        (status) => status === "completed",
      );
    };
    // A text that was embedded before is asked of nobody.
    const fresh = () => (name === "createEmbeddings" ? { input: `text ${(texts += 1)}` } : {});
    beforeEach(async () => {
      const made = await makeKey(gateway());
      key = made.key;
      hash = made.record.hash;
      vendor().requests.length = 0;
      vendor().answer(answer);
    });

    it("is on the ledger with its session and its cost, counts for its key, and keeps nothing", async () => {
      const answered = await call({}, { headers: { "x-session-id": "s1" } });
      const status = api[name].status;
      expect(answered.status, answered.text).toBe(status);
      const id = answered.headers.get("x-generation-id") ?? "";
      if (name === "createVideo") await filmed(answered.json.id);
      const row = await ledgerRows(gateway().deps.store.db).selectAll().where("id", "=", id).executeTakeFirstOrThrow();
      expect(row).toMatchObject({ provider: "acme", status, session_id: "s1", key_hash: hash });
      expect(row.cost).toBeGreaterThan(0n);
      expect((await gateway().call("GET", `/keys/${hash}`)).json.data.usage).toBeCloseTo(Number(row.cost) / 1e9, 9);
      expect((await gateway().call("GET", `/generation/content?id=${id}`)).status).toBe(404);
    });

    it("is refused beyond its key's limit, its workspace's budget and its key's rate, before anything is sent", async () => {
      const poor = await makeKey(gateway(), { limit: 0.0001 });
      const refused = await call({}, { key: poor.key });
      expect(refused.status).toBe(402);
      expect(refused.text).toMatch(/may cost up to/);
      const workspace = await makeWorkspace(gateway());
      await gateway().call("PUT", `/workspaces/${workspace.id}/budgets/daily`, { body: { limit_usd: 0.0001 } });
      const member = await makeKey(gateway(), { workspace_id: workspace.id });
      expect((await call({}, { key: member.key })).status).toBe(403);
      expect(vendor().requests).toHaveLength(0);
      const slow = await makeKey(gateway(), { requests_per_minute: 1 });
      expect((await call({}, { key: slow.key })).status).toBe(api[name].status);
      expect((await call({}, { key: slow.key })).status).toBe(429);
    });

    it("goes to no provider that may keep it, where the caller forbids that", async () => {
      for (const provider of [{ data_collection: "deny" }, { zdr: true }, { only: ["other"] }]) {
        expect((await call({ provider })).status).toBe(404);
      }
      expect(vendor().requests).toHaveLength(0);
    });

    it("is served by none that a guardrail forbids, nor beyond a guardrail's budget, before anything is sent", async () => {
      const guard = async (settings: object) => {
        const workspace = await makeWorkspace(gateway());
        const path = `/guardrails/${workspace.default_guardrail_id}`;
        expect((await gateway().call("PATCH", path, { body: settings })).status).toBe(200);
        const guarded = await makeKey(gateway(), { workspace_id: workspace.id });
        return await call({}, { key: guarded.key });
      };
      const lists = [{ ignored_providers: ["acme"] }, { allowed_models: ["acme/other"] }];
      const policies = [{ enforce_zdr: true }, { enable_paid_model_training: false }];
      for (const settings of [...lists, ...policies]) {
        const refused = await guard(settings);
        expect([refused.status, refused.text]).toEqual([
          404,
          expect.stringContaining("the guardrail Default guardrail"),
        ]);
      }
      const poor = await guard({ limit_usd: 0.0001, reset_interval: "daily" });
      expect([poor.status, poor.text]).toEqual([403, expect.stringContaining("The guardrail's budget leaves no room")]);
      expect(vendor().requests).toHaveLength(0);
    });

    it("names no address in a private network", async () => {
      const url = "http://169.254.169.254/latest";
      const image = { role: "user", content: [{ type: "image", source: { type: "url", url } }] };
      // Members that Anthropic's dialect does not have are not passed on.
      const refused = await call(name === "createMessage" ? { messages: [image] } : { surprise: url });
      expect(refused.status).toBe(400);
      expect(refused.text).toMatch(/private network/);
      expect(vendor().requests).toHaveLength(0);
    });

    it("that the provider cannot serve says so, and is no failure of the gateway", async () => {
      vendor().answer({ status: 500, headers: { "content-type": "application/json" }, pieces: ["{}"] });
      const failed = await call();
      if (name !== "createMessage") expectError(failed, "provider_unavailable", /./);
      expect(failed.status).toBe(502);
      expect(failed.headers.get("x-generation-id")).not.toBeNull();
      gateway().clock.advance(3_600_000);
    });
  });
});
