import { beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { vendorsKey, withMediaVendor } from "../../testing/scripted-setup.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";

const input = "The gate is red.";
/** 1,000 nano-dollars a character */
const pricing = { prompt: "0", character: "0.000001" };
const speaks = (id: string, more: object = {}) => ({
  id,
  upstream_id: "tts-1",
  type: "speech" as const,
  name: "Voice",
  pricing,
  ...more,
});

/** Bytes that are no text in any encoding. */
const sound = Buffer.from([0xff, 0xf3, 0x00, 0x80, 0xfe, 0x0d, 0x0a, 0xc3, 0x28]);
const audio = (more: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
  headers: { "content-type": "audio/mpeg", "x-request-id": "req_1" },
  pieces: [sound, sound],
  ...more,
});

describeGateway(
  "createSpeech",
  (gateway) => {
    const vendor = withMediaVendor(gateway, {
      slug: "acme",
      models: [
        speaks("acme/voice"),
        speaks("acme/unpriced", { pricing: null }),
        speaks("acme/by-token", { pricing: { prompt: "0.000001" } }),
        { id: "acme/talk", upstream_id: "talk", type: "chat", pricing: { prompt: "0.000001" } },
      ],
    });
    const second = withMediaVendor(gateway, { slug: "second", models: [speaks("acme/voice")] });
    let key = "";
    let hash = "";
    beforeEach(async () => {
      const made = await makeKey(gateway(), { limit: 1 });
      key = made.key;
      hash = made.record.hash;
      for (const each of [vendor(), second()]) {
        each.requests.length = 0;
        each.answer(audio());
      }
      gateway().clock.advance(3_600_000);
    });
    const only = (...order: string[]) => ({ only: order, order });
    const request = async (body: object, signal?: AbortSignal) =>
      await fetch(`${gateway().url}/api/v1/audio/speech`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "acme/voice", input, voice: "alloy", provider: only("acme"), ...body }),
        ...(signal !== undefined && { signal }),
      });
    const speak = async (body: object = {}, more: { key?: string | null } = {}) =>
      await gateway().call("POST", "/audio/speech", {
        key,
        body: { model: "acme/voice", input, voice: "alloy", provider: only("acme"), ...body },
        ...more,
      });
    const row = async (id: string | null) => await ledgerRow(gateway(), id);
    const spent = async () => (await gateway().call("GET", `/keys/${hash}`)).json.data.usage;
    const sent = () => JSON.parse(vendor().requests.at(-1)?.body ?? "{}");

    describe("one call", () => {
      it("200: the vendor's bytes, what it cost, and the row, the event and the public record", async () => {
        const answer = await request({ response_format: "mp3" });
        expect(answer.status).toBe(200);
        expect(answer.headers.get("content-type")).toBe("audio/mpeg");
        expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.concat([sound, sound]));
        const id = answer.headers.get("x-generation-id");
        expect(await row(id)).toMatchObject({
          api_type: "speech",
          model: "acme/voice",
          provider: "acme",
          cost: 16_000n,
          unit: "character",
          units: 16,
          metered_by: "gateway",
          status: 200,
          cancelled: false,
          upstream_id: "req_1",
        });
        expect(await spent()).toBe(0.000016);
        const { data } = (await gateway().call("GET", `/generation?id=${id}`)).json;
        expect(data).toMatchObject({ api_type: "tts", total_cost: 0.000016 });
        const [call] = (await gateway().call("GET", `/generations?id=${id}`)).json.data;
        expect(call).toMatchObject({ api_type: "speech", unit: "character", units: 16 });
      });

      it("sends the vendor its name of the model, a format always, and members that are its own", async () => {
        await speak({ instructions: "slowly", speed: 1.5, user: "u", session_id: "s", trace: { a: 1 } });
        expect(vendor().requests.at(-1)?.path).toBe("/v1/audio/speech");
        expect(sent()).toEqual({
          model: "tts-1",
          input,
          voice: "alloy",
          response_format: "pcm",
          speed: 1.5,
          instructions: "slowly",
        });
        const answer = await speak();
        expect(answer.headers.get("content-type")).toBe("audio/pcm");
      });

      it("passes options on to the provider that they are for, and to no other", async () => {
        const options = { acme: { tone: "warm" }, second: { tone: "cold" } };
        await speak({ provider: { ...only("acme"), options } });
        expect(sent()).toMatchObject({ tone: "warm" });
        expect(sent()).not.toHaveProperty("provider");
      });

      it("streams: the first bytes are there before the last are made", async () => {
        vendor().answer(audio({ pieces: [sound], end: "hang" }));
        const answer = await request({});
        const reader = answer.body?.getReader();
        expect(Buffer.from((await reader?.read())?.value ?? [])).toEqual(sound);
        await reader?.cancel();
      });

      it("is completed by a preset that names a model", async () => {
        const workspace = await makeWorkspace(gateway());
        const own = await makeKey(gateway(), { workspace_id: workspace.id });
        const created = await gateway().call("POST", "/presets", {
          body: {
            workspace_id: workspace.id,
            slug: "reader",
            name: "Reader",
            config: { model: "acme/voice", temperature: 0.2 },
          },
        });
        expect(created.status, created.text).toBe(201);
        const answer = await speak({ model: "@preset/reader" }, { key: own.key });
        expect(answer.status, answer.text).toBe(200);
        expect(sent()).not.toHaveProperty("temperature");
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ preset: "reader" });
      });

      it("keeps nothing of it, unless the workspace asks; and then the text alone", async () => {
        const plain = await speak();
        const id = (answer: typeof plain) => answer.headers.get("x-generation-id");
        expect((await gateway().call("GET", `/generation/content?id=${id(plain)}`)).status).toBe(404);
        const workspace = await makeWorkspace(gateway(), { is_observability_io_logging_enabled: true });
        const own = await makeKey(gateway(), { workspace_id: workspace.id });
        const kept = await speak({}, { key: own.key });
        const content = await gateway().call("GET", `/generation/content?id=${id(kept)}`);
        expect(content.json.data).toMatchObject({ input: { prompt: input }, output: { completion: null } });
      });
    });

    describe("refusals", () => {
      it("400: what is missing, empty, too long, or of another form, and nothing is sent", async () => {
        expectIssues(await speak({ input: "" }), "input");
        expectIssues(await speak({ input: undefined }), "input");
        expectIssues(await speak({ input: "a".repeat(100_001) }), "input");
        expectIssues(await speak({ voice: "" }), "voice");
        expectIssues(await speak({ response_format: "midi" }), "response_format");
        expectIssues(await speak({ stream_format: "sse" }), "stream_format");
        expectIssues(await speak({ speed: 0 }), "speed");
        expectIssues(await speak({ provider: { options: { acme: 3 } } }), "provider.options.acme");
        const text = { type: "text", text: "said" };
        expectIssues(await speak({ input_references: [text, text] }), "input_references");
        expectIssues(await speak({ input_references: [text, text, text] }), "input_references");
        expect((await gateway().call("POST", "/audio/speech", { key, raw: "{" })).status).toBe(400);
        expect(vendor().requests).toHaveLength(0);
      });

      it("400: references where no provider takes them, and addresses that lead into a private network", async () => {
        const refused = await speak({ input_references: [{ type: "text", text: "said" }], provider: null });
        expectIssues(refused, "input_references");
        expect(refused.json.error.message).toMatch(/takes no input_references/);
        expectIssues(await speak({ ref: "http://169.254.169.254/latest" }), "ref");
        const options = { acme: { callback: "http://127.0.0.1/" } };
        expectIssues(await speak({ provider: { options } }), "provider.options.acme.callback");
        expect(vendor().requests).toHaveLength(0);
      });

      it("401 without a key, 403 with a management key", async () => {
        expectError(await speak({}, { key: null }), "authentication", /./);
        expectError(await speak({}, { key: gateway().managementKey }), "permission_denied", /./);
      });

      it("402: what the text may cost, and how many characters would fit", async () => {
        const poor = await makeKey(gateway(), { limit: 0.00001 });
        const answer = await speak({}, { key: poor.key });
        expectError(answer, "payment_required", /may cost up to/);
        expect(answer.json.error.metadata.fits).toEqual({ characters: 10 });
        expectError(await speak({ model: "acme/unpriced" }), "payment_required", /has no price/);
        expect(vendor().requests).toHaveLength(0);
      });

      it("404: a chat model here, a speech model in chat, and a model that nobody offers", async () => {
        expectError(await speak({ model: "acme/talk" }), "not_found", /acme\/talk is not a speech model/);
        expectError(await speak({ model: "acme/none" }), "not_found", /output_modalities=speech/);
        const messages = [{ role: "user", content: "a" }];
        const chat = await gateway().call("POST", "/chat/completions", {
          key,
          body: { model: "acme/voice", messages },
        });
        expectError(chat, "not_found", /acme\/voice is not a chat model/);
      });

      it("413: a body beyond the bound", async () => {
        const answer = await gateway().call("POST", "/audio/speech", {
          key,
          raw: Buffer.alloc(33 * 1_048_576, " "),
        });
        expectError(answer, "payload_too_large", /32 MB/);
      });

      it("429: beyond the key's rate", async () => {
        const slow = await makeKey(gateway(), { requests_per_minute: 1 });
        expect((await speak({}, { key: slow.key })).status).toBe(200);
        expectError(await speak({}, { key: slow.key }), "rate_limit_exceeded", /1 requests a minute/);
      });
    });

    describe("money", () => {
      it("is by the token where the model's price is", async () => {
        const answer = await speak({ model: "acme/by-token" });
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
          cost: 5_000n,
          prompt_tokens: 5,
          units: 16,
        });
      });

      it("20 at once spend no more than the limit", async () => {
        const { key: poor, record } = await makeKey(gateway(), { limit: 0.0001 });
        const answers = await Promise.all(Array.from({ length: 20 }, async () => await speak({}, { key: poor })));
        const served = answers.filter(({ status }) => status === 200).length;
        expect(served).toBe(6);
        expect(answers.filter(({ status }) => status === 402)).toHaveLength(14);
        const { data } = (await gateway().call("GET", `/keys/${record.hash}`)).json;
        expect(data.usage).toBeCloseTo(served * 0.000016, 9);
      });

      it("goes to the cheaper provider when it is sorted by price", async () => {
        const change = { models: [speaks("acme/voice", { pricing: { prompt: "0", character: "0.0000005" } })] };
        expect((await gateway().call("PATCH", "/providers/second", { body: change })).status).toBe(200);
        await speak({ provider: { sort: "price" } });
        expect([vendor().requests.length, second().requests.length]).toEqual([0, 1]);
      });
    });

    describe("vendors that fail", () => {
      it.each<[string, ScriptedAnswer]>([
        ["a status of 500", json({ error: { message: "broken" } }, 500)],
        ["no audio", audio({ pieces: [] })],
        ["JSON in place of audio", json({ audio: "aGk=" })],
        ["events in place of audio", { headers: { "content-type": "text/event-stream" }, pieces: ["data: {}\n\n"] }],
        ["an error with the status 200", json({ error: { message: "overloaded", code: 503 } })],
      ])("%s: the next one is asked, and the failure is on the call", async (_, fault) => {
        vendor().answer(fault);
        const answer = await speak({ provider: only("acme", "second") });
        expect(answer.status, answer.text).toBe(200);
        const { attempts } = (await row(answer.headers.get("x-generation-id"))) ?? { attempts: [] };
        expect(attempts.map(({ provider, error }) => [provider, error === null])).toEqual([
          ["acme", false],
          ["second", true],
        ]);
        gateway().clock.advance(3_600_000);
        const alone = await speak();
        expect(alone.status, alone.text).toBeGreaterThanOrEqual(500);
        expect(alone.json.error.metadata.provider_name).toBe("acme");
        expect(alone.headers.get("content-type")).toMatch(/^application\/json/);
      });

      it("400 by the vendor is the caller's, in the API's envelope, and its key is never said", async () => {
        vendor().answer(json({ error: { message: `unknown voice for ${vendorsKey}`, code: "invalid_voice" } }, 400));
        const answer = await speak({ voice: "nobody" });
        expectError(answer, "invalid_request", /unknown voice/);
        expect(answer.text).not.toContain(vendorsKey);
        expect(await spent()).toBe(0);
      });

      it("a connection that breaks before the first byte is charged at its most, within a limit", async () => {
        vendor().answer(audio({ pieces: [], end: "cut" }));
        const answer = await speak();
        expect(answer.status).toBeGreaterThanOrEqual(500);
        expect(await spent()).toBe(0.000016);
      });

      it("audio that breaks off is cut, charged, and the vendor's fault", async () => {
        vendor().answer(audio({ pieces: [sound], end: "cut" }));
        const answer = await request({});
        const id = answer.headers.get("x-generation-id");
        await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
        const found = await eventually(
          async () => await row(id),
          (entry) => entry !== undefined,
        );
        expect(found).toMatchObject({ status: 502, error_type: "provider_unavailable", cost: 16_000n });
        expect(await spent()).toBe(0.000016);
      });

      it("a vendor that stops in the middle is given up, and the call charged", async () => {
        vendor().answer(audio({ pieces: [sound], end: "hang" }));
        const answer = await request({});
        const id = answer.headers.get("x-generation-id");
        await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
        const found = await eventually(
          async () => await row(id),
          (entry) => entry !== undefined,
        );
        expect(found).toMatchObject({ status: 524, cost: 16_000n });
      });

      it("a caller who leaves pays, and the vendor's work is cut off even while it is silent", async () => {
        vendor().answer(audio({ pieces: [sound], end: "hang" }));
        const leaving = new AbortController();
        const abandoned = vendor().abandoned();
        const answer = await request({}, leaving.signal);
        const id = answer.headers.get("x-generation-id");
        leaving.abort();
        const found = await eventually(
          async () => await row(id),
          (entry) => entry !== undefined,
        );
        expect(found).toMatchObject({ status: 200, cancelled: true, cost: 16_000n });
        await eventually(vendor().abandoned, (count) => count > abandoned);
        const { data } = (await gateway().call("GET", "/providers/acme")).json;
        expect(data.health.error_rate_last_30m ?? 0).toBe(0);
      });

      it("a caller who stops reading is let go, and pays", async () => {
        vendor().answer(audio({ pieces: Array.from({ length: 64 }, () => Buffer.alloc(1_048_576, 1)) }));
        const answer = await request({});
        const found = await eventually(
          async () => await row(answer.headers.get("x-generation-id")),
          (entry) => entry !== undefined,
        );
        expect(found).toMatchObject({ cancelled: true, cost: 16_000n });
        await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
      });

      it("a caller who leaves before the first byte pays what was spoken for nobody", async () => {
        vendor().answer(audio({ pieces: [], end: "hang" }));
        const leaving = new AbortController();
        const answer = request({}, leaving.signal).catch(() => null);
        await eventually(
          () => vendor().requests.length,
          (count) => count === 1,
        );
        leaving.abort();
        await answer;
        expect(await eventually(spent, (usd) => usd > 0)).toBe(0.000016);
      });
    });

    it("is listed as a model that speaks, with its price", async () => {
      const listed = await gateway().call("GET", "/models?output_modalities=speech", { key: null });
      expect(listed.json.data.map(({ id }: { id: string }) => id)).toContain("acme/voice");
      const voice = listed.json.data.find(({ id }: { id: string }) => id === "acme/voice");
      expect(voice.architecture.output_modalities).toEqual(["speech"]);
      expect(voice.pricing).toMatchObject({ prompt: "0", character: "0.000001" });
      const plain = await gateway().call("GET", "/models", { key: null });
      expect(plain.json.data.map(({ id }: { id: string }) => id)).not.toContain("acme/voice");
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: "2" } },
);

describeGateway("speech in each vendor's dialect", (gateway) => {
  const mistral = withMediaVendor(gateway, {
    slug: "mistral",
    preset: "mistral",
    models: [speaks("mistral/voice", { upstream_id: "voxtral-tts" })],
  });
  const eleven = withMediaVendor(gateway, {
    slug: "elevenlabs",
    preset: "elevenlabs",
    models: [speaks("elevenlabs/voice", { upstream_id: "eleven_flash_v2_5" })],
  });
  const groq = withMediaVendor(gateway, { slug: "groq", preset: "groq", models: [speaks("groq/voice")] });
  const router = withMediaVendor(gateway, { slug: "router", preset: "openrouter", models: [speaks("router/voice")] });
  const speak = async (body: object) => {
    const { key } = await makeKey(gateway());
    const response = await fetch(`${gateway().url}/api/v1/audio/speech`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ input, voice: "alloy", ...body }),
    });
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const reference = [
    { type: "input_audio", input_audio: { data: `data:audio/wav;base64,${sound.toString("base64")}`, format: "wav" } },
    { type: "text", text: "said" },
  ];

  it("Mistral: voice_id or ref_audio, and base64 in JSON becomes the bytes", async () => {
    mistral().answer(json({ audio_data: sound.toString("base64") }));
    const answer = await speak({ model: "mistral/voice", response_format: "wav" });
    expect(answer).toEqual({ status: 200, bytes: sound });
    const body = () => JSON.parse(mistral().requests.at(-1)?.body ?? "");
    expect(body()).toEqual({
      model: "voxtral-tts",
      input,
      voice_id: "alloy",
      response_format: "wav",
      stream: false,
    });
    await speak({ model: "mistral/voice", input_references: reference });
    expect(body()).toMatchObject({ ref_audio: sound.toString("base64") });
    expect(body()).not.toHaveProperty("voice_id");
    mistral().answer(json({ audio_data: 3 }));
    expect((await speak({ model: "mistral/voice" })).status).toBe(502);
  });

  it("ElevenLabs: the voice in the path, the format in the query, and xi-api-key", async () => {
    eleven().answer(audio());
    const answer = await speak({
      model: "elevenlabs/voice",
      voice: "a/b",
      response_format: "mp3",
      speed: 1.1,
      voice_settings: { stability: 0.4 },
    });
    expect(answer.status).toBe(200);
    const received = eleven().requests.at(-1);
    expect(received?.path).toBe("/v1/text-to-speech/a%2Fb?output_format=mp3_44100_128");
    expect(received?.headers["xi-api-key"]).toBe(vendorsKey);
    expect(received?.headers.authorization).toBeUndefined();
    expect(JSON.parse(received?.body ?? "")).toEqual({
      text: input,
      model_id: "eleven_flash_v2_5",
      voice_settings: { stability: 0.4, speed: 1.1 },
    });
    const sent = eleven().requests.length;
    for (const [member, value] of [
      ["voice", null],
      ["voice", "."],
      ["voice", ".."],
      ["voice", "\ud800"],
      ["response_format", "flac"],
    ] as const) {
      const refused = await speak({ model: "elevenlabs/voice", [member]: value });
      expect(refused.status, String(value)).toBe(400);
      expect(JSON.parse(refused.bytes.toString()).error.metadata.issues[0].path).toBe(member);
    }
    expect(eleven().requests).toHaveLength(sent);
    for (const voice of ["%2e%2e", "?a", "#a"]) {
      await speak({ model: "elevenlabs/voice", voice });
      expect(eleven().requests.at(-1)?.path).toMatch(
        new RegExp(`^/v1/text-to-speech/${encodeURIComponent(voice)}\\?output_format=`),
      );
    }
  });

  it("ElevenLabs: its list of models is read by its own names", async () => {
    eleven().answer(json([{ model_id: "eleven_v3", name: "Eleven v3" }]));
    const tested = await gateway().call("POST", "/providers/elevenlabs/test");
    expect(tested.text).toContain("eleven_v3");
  });

  it("Groq: wav alone, so that other formats are refused before anything is sent", async () => {
    groq().answer(audio());
    expect((await speak({ model: "groq/voice", response_format: "wav" })).status).toBe(200);
    expect((await speak({ model: "groq/voice" })).status).toBe(400);
    expect(groq().requests).toHaveLength(1);
  });

  it("a gateway of this API: references and the user as they are", async () => {
    router().answer(audio());
    await speak({ model: "router/voice", input_references: reference, user: "u" });
    expect(JSON.parse(router().requests.at(-1)?.body ?? "")).toMatchObject({
      input_references: [
        { type: "input_audio", input_audio: { data: sound.toString("base64"), format: "wav" } },
        { type: "text", text: "said" },
      ],
      user: "u",
    });
  });

  it("a kind of provider without speech takes no such models", async () => {
    for (const kind of ["anthropic", "gemini", "cohere"]) {
      const models = [speaks(`${kind}/voice`)];
      const answer = await gateway().call("POST", "/providers", {
        body: { slug: kind, name: kind, kind, preset: kind, api_key: "k", models },
      });
      expectIssues(answer, "models.0.type");
    }
  });
});
