import OpenAI from "openai";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeEach, describe, expect, it } from "vitest";
import { TranscriptionResult } from "#contract/transcriptions.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import type { Answer } from "../../testing/gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { vendorsKey, withMediaVendor } from "../../testing/scripted-setup.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";
import { wave } from "../../testing/wave.ts";

/** 1,000 nano-dollars a second */
const pricing = { prompt: "0", second: "0.000001" };
const hears = (id: string, more: object = {}) => ({
  id,
  upstream_id: "whisper-1",
  type: "transcription" as const,
  name: "Ear",
  pricing,
  ...more,
});
const text = "The gate is red.";
const heard = json({ text, usage: { type: "duration", seconds: 3 } });
const sound = wave(3);

/** A form as browsers write it; a file's name with its bytes is a list. */
async function formOf(fields: Readonly<Record<string, string | readonly [string, Buffer, string?] | null>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: "acme/ear", file: ["a.wav", sound] as const, ...fields })) {
    if (typeof value === "string") form.append(name, value);
    else if (value !== null) {
      const [filename, bytes, type = "application/octet-stream"] = value;
      form.append(name, new File([new Uint8Array(bytes)], filename, { type }));
    }
  }
  const request = new Request("http://gw.example", { method: "POST", body: form });
  const raw = Buffer.from(await request.arrayBuffer());
  return { raw, headers: { "content-type": request.headers.get("content-type") ?? "" } };
}

describeGateway(
  "createTranscription",
  (gateway) => {
    const vendor = withMediaVendor(gateway, {
      slug: "acme",
      models: [
        hears("acme/ear"),
        hears("acme/unpriced", { pricing: null }),
        hears("acme/by-token", { pricing: { prompt: "0.000001", completion: "0.000002" } }),
        { id: "acme/talk", upstream_id: "talk", type: "chat", pricing: { prompt: "0.000001" } },
      ],
    });
    const second = withMediaVendor(gateway, { slug: "second", models: [hears("acme/ear")] });
    let key = "";
    let hash = "";
    beforeEach(async () => {
      const made = await makeKey(gateway(), { limit: 1 });
      key = made.key;
      hash = made.record.hash;
      for (const each of [vendor(), second()]) {
        each.requests.length = 0;
        each.answer(heard);
      }
      gateway().clock.advance(3_600_000);
    });
    const onlyAcme = JSON.stringify({ only: ["acme"] });
    const send = async (fields: Parameters<typeof formOf>[0] = {}, as: string | null = key) =>
      await gateway().call("POST", "/audio/transcriptions", {
        key: as,
        ...(await formOf({ provider: onlyAcme, ...fields })),
      });
    const sendJson = async (body: object = {}) =>
      await gateway().call("POST", "/audio/transcriptions", {
        key,
        body: {
          model: "acme/ear",
          input_audio: { data: sound.toString("base64"), format: "wav" },
          provider: { only: ["acme"] },
          ...body,
        },
      });
    const row = async ({ headers }: Answer) => await ledgerRow(gateway(), headers.get("x-generation-id"));
    const spent = async () => (await gateway().call("GET", `/keys/${hash}`)).json.data.usage;
    const received = () => vendor().requests.at(-1);

    describe("one call", () => {
      it("200: a form's file reaches the vendor as a file of its format; the text, its cost, and the row", async () => {
        const answer = await send({ language: "en", prompt: "names", temperature: "0.2", "include[]": "logprobs" });
        expect(answer.status, answer.text).toBe(200);
        expect(answer.json).toEqual({ text, usage: { cost: 0.000003, is_byok: false, seconds: 3 } });
        expect(TranscriptionResult.parse(answer.json)).toEqual(answer.json);
        expect(received()?.path).toBe("/v1/audio/transcriptions");
        const form = await new Response(Buffer.from(received()?.body ?? "", "utf8"), {
          headers: { "content-type": received()?.headers["content-type"] ?? "" },
        }).formData();
        expect(Object.fromEntries([...form].filter(([, value]) => typeof value === "string"))).toEqual({
          model: "whisper-1",
          language: "en",
          response_format: "json",
          temperature: "0.2",
          prompt: "names",
          "include[]": "logprobs",
        });
        const file = form.get("file") as File;
        expect(file.name).toBe("audio.wav");
        expect(Number(received()?.headers["content-length"])).toBeGreaterThan(sound.length);
        expect(await row(answer)).toMatchObject({
          api_type: "transcriptions",
          model: "acme/ear",
          provider: "acme",
          cost: 3_000n,
          unit: "second",
          units: 3,
          metered_by: "upstream",
          status: 200,
        });
        const { data } = (await gateway().call("GET", `/generation?id=${answer.headers.get("x-generation-id")}`)).json;
        expect(data.api_type).toBe("stt");
      });

      it("200: base64 in JSON, and with a preset", async () => {
        expect((await sendJson()).json.text).toBe(text);
        const url = `data:audio/wav;base64,${sound.toString("base64")}`;
        expect((await sendJson({ input_audio: { data: url, format: "wav" } })).status).toBe(200);
        const workspace = await makeWorkspace(gateway());
        const own = await makeKey(gateway(), { workspace_id: workspace.id });
        const preset = { workspace_id: workspace.id, slug: "ear", name: "Ear", config: { model: "acme/ear" } };
        await gateway().call("POST", "/presets", { body: preset });
        const answer = await gateway().call("POST", "/audio/transcriptions", {
          key: own.key,
          body: { model: "@preset/ear", input_audio: { data: sound.toString("base64"), format: "wav" } },
        });
        expect(answer.status, answer.text).toBe(200);
      });

      it("says the model, the format and the file once, whatever else the caller names so", async () => {
        const options = { acme: { model: "whisper-dear", response_format: "text", hint: ["a", "b"] } };
        await sendJson({ file: "another", provider: { only: ["acme"], options } });
        const form = await new Response(Buffer.from(received()?.body ?? "", "utf8"), {
          headers: { "content-type": received()?.headers["content-type"] ?? "" },
        }).formData();
        expect(form.getAll("model")).toEqual(["whisper-1"]);
        expect(form.getAll("response_format")).toEqual(["json"]);
        expect(form.getAll("file")).toHaveLength(1);
        expect(form.getAll("hint")).toEqual(["a", "b"]);
      });

      it("passes verbose_json on, without what official clients refuse", async () => {
        const segment = { id: 0, start: 0, end: 1.5, text, tokens: [1] };
        const words = [{ word: "The", start: 0, end: 0.2 }, { word: 4 }];
        vendor().answer(
          json({ task: "transcribe", language: "english", duration: "2.5", text, segments: [segment], words }),
        );
        const answer = await send({ response_format: "verbose_json", "timestamp_granularities[]": "word" });
        expect(answer.json).toMatchObject({
          task: "transcribe",
          language: "english",
          duration: 2.5,
          segments: [segment],
        });
        expect(answer.json.words).toEqual([words[0]]);
        expect(received()?.body).toContain("timestamp_granularities[]");
        expect(await row(answer)).toMatchObject({ units: 2.5, cost: 2_500n });
      });

      it("knows the format by the file's name, else by its media type", async () => {
        expect((await send({ file: ["A.MP3", Buffer.alloc(100), "audio/wav"] })).status).toBe(200);
        expect(received()?.body).toContain('filename="audio.mp3"');
        expect((await send({ file: ["blob", Buffer.alloc(100), "audio/webm;codecs=opus"] })).status).toBe(200);
        expect(received()?.body).toContain('filename="audio.webm"');
      });

      it("charges tokens by the vendor's count", async () => {
        vendor().answer(
          json({ text, usage: { type: "tokens", input_tokens: 40, output_tokens: 6, total_tokens: 46 } }),
        );
        const answer = await send({ model: "acme/by-token" });
        expect(answer.json.usage).toMatchObject({
          cost: 0.000052,
          input_tokens: 40,
          output_tokens: 6,
          total_tokens: 46,
        });
        expect(await row(answer)).toMatchObject({ prompt_tokens: 40, completion_tokens: 6 });
      });

      it.each([
        ["missing", undefined],
        ["negative", { seconds: -3 }],
        ["immense", { seconds: 1e12 }],
        ["a text", { seconds: "long" }],
      ])("counts by itself where the vendor's usage is %s", async (_, usage) => {
        vendor().answer(json({ text, usage }));
        const answer = await send();
        expect(answer.json.usage.seconds).toBeCloseTo(3, 2);
        expect(answer.json.usage.cost).toBeCloseTo(0.000003, 7);
      });

      it("keeps nothing of it, unless the workspace asks; and then the text alone", async () => {
        const content = async (answer: Answer) =>
          await gateway().call("GET", `/generation/content?id=${answer.headers.get("x-generation-id")}`);
        expect((await content(await send())).status).toBe(404);
        const workspace = await makeWorkspace(gateway(), { is_observability_io_logging_enabled: true });
        const own = await makeKey(gateway(), { workspace_id: workspace.id });
        expect((await content(await send({}, own.key))).json.data).toMatchObject({
          input: { prompt: '{"type":"input_audio","format":"wav"}' },
          output: { completion: text },
        });
      });
    });

    describe("refusals", () => {
      it("400: what is missing, empty, too long, or of another form, and nothing is sent", async () => {
        expectIssues(await send({ file: null }), "file");
        expectIssues(await send({ file: ["a.wav", Buffer.alloc(0)] }), "file");
        expectIssues(await send({ file: ["a.txt", sound, "text/plain"] }), "file");
        expectIssues(await send({ file: ["", sound, "video/quicktime"] }), "file");
        expectIssues(await send({ mask: ["b.wav", sound] }), "mask");
        expectIssues(await send({ model: "" }), "model");
        expectIssues(await send({ model: null }), "model");
        for (const format of ["text", "srt", "vtt"])
          expectIssues(await send({ response_format: format }), "response_format");
        expectIssues(await send({ temperature: "warm" }), "temperature");
        expectIssues(await send({ stream: "true" }), "stream");
        expectIssues(await send({ provider: "{" }), "provider");
        expectIssues(await send({ prompt: "a".repeat(70_000) }), "prompt");
        expectIssues(await send({ "timestamp_granularities[]": "year" }), "timestamp_granularities.0");
        expectIssues(await sendJson({ input_audio: { data: "%%%", format: "wav" } }), "input_audio.data");
        expectIssues(await sendJson({ input_audio: { data: "AAAA", format: "midi" } }), "input_audio.format");
        expectIssues(await sendJson({ input_audio: undefined }), "input_audio");
        expectIssues(await send({ callback: "http://169.254.169.254/" }), "callback");
        const raw = { key, raw: "--b", headers: { "content-type": "multipart/form-data; boundary=b" } };
        expectError(await gateway().call("POST", "/audio/transcriptions", raw), "invalid_request", /form is cut off/);
        expectError(await gateway().call("POST", "/audio/speech", raw), "invalid_request", /application\/json/);
        expect(vendor().requests).toHaveLength(0);
      });

      it("401 without a key, 402 beyond the limit, 404 for other models, 413 beyond the bounds", async () => {
        expectError(await send({}, null), "authentication", /./);
        const poor = await makeKey(gateway(), { limit: 0.000002 });
        const refused = await send({}, poor.key);
        expectError(refused, "payment_required", /may cost up to/);
        expect(refused.json.error.metadata.fits.audio_percent).toBeLessThan(100);
        expectError(await send({ model: "acme/unpriced" }), "payment_required", /has no price/);
        expectError(await send({ model: "acme/talk" }), "not_found", /is not a transcription model/);
        const large = Buffer.alloc(25 * 1_048_576 + 1);
        expectError(await send({ file: ["a.mp3", large] }), "payload_too_large", /25 MB/);
        expect(vendor().requests).toHaveLength(0);
      });
    });

    describe("vendors that fail", () => {
      const fallback = JSON.stringify({ order: ["acme", "second"] });
      it.each<[string, ScriptedAnswer]>([
        ["a status of 500", json({ error: { message: "broken" } }, 500)],
        ["no text", json({ words: [] })],
        ["what is no JSON", { headers: {}, pieces: ["The gate"] }],
        ["an answer that is cut", { ...json({ text }), pieces: ['{"text":'], end: "cut" }],
        ["silence", { pieces: [], end: "hang" }],
      ])("%s: the next one is asked with the same file", async (_, fault) => {
        vendor().answer(fault);
        const answer = await send({ provider: fallback });
        expect(answer.status, answer.text).toBe(200);
        expect(second().requests.at(-1)?.headers["content-length"]).toBe(received()?.headers["content-length"]);
        gateway().clock.advance(3_600_000);
        const alone = await send();
        expect(alone.status).toBeGreaterThanOrEqual(500);
        expect(alone.json.error.metadata.provider_name).toBe("acme");
      });

      it("400 by the vendor is the caller's, and its key is never said", async () => {
        vendor().answer(json({ error: { message: `cannot decode for ${vendorsKey}` } }, 400));
        const answer = await send();
        expectError(answer, "invalid_request", /cannot decode/);
        expect(answer.text).not.toContain(vendorsKey);
        expect(await spent()).toBe(0);
      });

      it("a caller who leaves pays", async () => {
        vendor().answer({ ...heard, betweenMs: 500 });
        const leaving = new AbortController();
        const { raw, headers } = await formOf({ provider: onlyAcme });
        const asked = fetch(`${gateway().url}/api/v1/audio/transcriptions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, ...headers },
          body: new Uint8Array(raw),
          signal: leaving.signal,
        }).catch(() => null);
        await eventually(
          () => vendor().requests.length,
          (count) => count === 1,
        );
        leaving.abort();
        await asked;
        expect(await eventually(spent, (usd) => usd > 0)).toBe(0.000003);
      });
    });

    it("openai 7: audio.transcriptions, plain and verbose, and its errors", async () => {
      const client = new OpenAI({ apiKey: key, baseURL: `${gateway().url}/v1`, maxRetries: 0 });
      const file = new File([new Uint8Array(sound)], "a.wav");
      const plain = await client.audio.transcriptions.create({ model: "acme/ear", file });
      expect(plain.text).toBe(text);
      vendor().answer(json({ task: "transcribe", language: "english", duration: 3, text, segments: [] }));
      second().answer(json({ task: "transcribe", language: "english", duration: 3, text, segments: [] }));
      const verbose = await client.audio.transcriptions.create({
        model: "acme/ear",
        file,
        response_format: "verbose_json",
        timestamp_granularities: ["segment"],
      });
      expect([verbose.text, verbose.duration, verbose.language]).toEqual([text, 3, "english"]);
      const wrong = client.audio.transcriptions.create({ model: "acme/none", file });
      await expect(wrong).rejects.toThrow(OpenAI.NotFoundError);
    });

    it("@openrouter/sdk 1.3.19: stt as JSON and as a form", async () => {
      const client = new OpenRouter({
        apiKey: key,
        serverURL: `${gateway().url}/api/v1`,
        retryConfig: { strategy: "none" },
      });
      const sttRequest = { model: "acme/ear", inputAudio: { data: sound.toString("base64"), format: "wav" } };
      const result = await client.stt.createTranscription({ sttRequest });
      expect([result.text, result.usage?.seconds, result.usage?.cost]).toEqual([text, 3, 0.000003]);
      const requestBody = { model: "acme/ear", file: { fileName: "a.wav", content: new Uint8Array(sound) } };
      expect((await client.stt.createTranscriptionMultipart({ requestBody })).text).toBe(text);
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: "2" } },
);

describeGateway("speech to text in each vendor's dialect", (gateway) => {
  const vendors = {
    groq: withMediaVendor(gateway, { slug: "groq", preset: "groq", models: [hears("groq/ear")] }),
    mistral: withMediaVendor(gateway, { slug: "mistral", preset: "mistral", models: [hears("mistral/ear")] }),
    elevenlabs: withMediaVendor(gateway, {
      slug: "elevenlabs",
      preset: "elevenlabs",
      models: [hears("elevenlabs/ear")],
    }),
  };
  const send = async (slug: keyof typeof vendors, fields: Parameters<typeof formOf>[0] = {}) => {
    const { key } = await makeKey(gateway());
    return await gateway().call("POST", "/audio/transcriptions", {
      key,
      ...(await formOf({ model: `${slug}/ear`, ...fields })),
    });
  };

  it("Groq: asked verbosely for what it bills, and the caller gets the text", async () => {
    vendors.groq().answer(json({ text, task: "transcribe", duration: 2, segments: [{ id: 0 }] }));
    const answer = await send("groq");
    expect(answer.json).toEqual({ text, usage: { cost: 0.000002, is_byok: false, seconds: 2 } });
    expect(vendors.groq().requests.at(-1)?.body).toContain("verbose_json");
  });

  it("Mistral: without a format, and its seconds", async () => {
    vendors
      .mistral()
      .answer(json({ text, usage: { prompt_audio_seconds: 4, prompt_tokens: 9, completion_tokens: 2 } }));
    const answer = await send("mistral", { prompt: "names" });
    expect(answer.json.usage).toMatchObject({ seconds: 4, input_tokens: 9, output_tokens: 2 });
    const { body } = vendors.mistral().requests.at(-1) ?? { body: "" };
    expect(body).not.toMatch(/response_format|name="prompt"/);
    expectIssues(await send("mistral", { response_format: "verbose_json" }), "response_format");
  });

  it("ElevenLabs: its own path, members and key", async () => {
    vendors.elevenlabs().answer(json({ language_code: "en", text, words: [{ text: "The", type: "word" }] }));
    const answer = await send("elevenlabs", { language: "en" });
    expect(answer.json).toMatchObject({ text, language: "en" });
    const request = vendors.elevenlabs().requests.at(-1);
    expect(request?.path).toBe("/v1/speech-to-text");
    expect(request?.headers["xi-api-key"]).toBe(vendorsKey);
    expect(request?.body).toMatch(/name="model_id"[^]*name="language_code"/);
  });
});
