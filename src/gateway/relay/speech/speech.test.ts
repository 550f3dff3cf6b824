import { expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectIssues } from "../../testing/expect-error.ts";
import { withMediaVendor, withOperation } from "../../testing/scripted-setup.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";

/** 1,000 nano-dollars a character */
const speaks = (id: string) => ({
  id,
  upstream_id: "tts-1",
  type: "speech" as const,
  pricing: { prompt: "0", character: "0.000001" },
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
    const { vendor, ask, begin, row, ended, spent, sent } = withOperation(gateway, {
      path: "/audio/speech",
      body: { input: "The gate is red.", voice: "alloy" },
      models: [speaks("acme/voice")],
      answer: audio(),
    });
    const mistral = withMediaVendor(gateway, { slug: "mistral", preset: "mistral", models: [speaks("mistral/voice")] });
    const eleven = withMediaVendor(gateway, { slug: "eleven", preset: "elevenlabs", models: [speaks("eleven/voice")] });
    const elsewhere = (model: string) => ({ model, provider: {} });

    it("200: the vendor's bytes, what it cost, and the row, the event and the public record", async () => {
      const answer = await begin({ response_format: "mp3" });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.concat([sound, sound]));
      const id = answer.headers.get("x-generation-id");
      expect(await row(answer)).toMatchObject({
        api_type: "speech",
        cost: 16_000n,
        unit: "character",
        units: 16,
        metered_by: "gateway",
        cancelled: false,
        upstream_id: "req_1",
      });
      expect(await spent()).toBe(0.000016);
      const { data } = (await gateway().call("GET", `/generation?id=${id}`)).json;
      expect(data).toMatchObject({ api_type: "tts", total_cost: 0.000016 });
      const [call] = (await gateway().call("GET", `/generations?id=${id}`)).json.data;
      expect(call).toMatchObject({ api_type: "speech", unit: "character", units: 16 });
      expect((await ask()).headers.get("content-type")).toBe("audio/pcm");
      expect(sent()).toMatchObject({ model: "tts-1", response_format: "pcm" });
    });

    it("streams: the first bytes are there before the last are made", async () => {
      vendor().answer(audio({ pieces: [sound], end: "hang" }));
      const reader = (await begin()).body?.getReader();
      expect(Buffer.from((await reader?.read())?.value ?? [])).toEqual(sound);
      await reader?.cancel();
    });

    it("200: base64 in JSON becomes the bytes, and 502 where there is none", async () => {
      mistral().answer(json({ audio_data: sound.toString("base64") }));
      const answer = await begin(elsewhere("mistral/voice"));
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(sound);
      mistral().answer(json({ audio_data: 3 }));
      expect((await ask(elsewhere("mistral/voice"))).status).toBe(502);
    });

    it("400: references where no provider takes them, and a voice that is none where it is a part of the path", async () => {
      const references = [{ type: "text", text: "said" }];
      const refused = await ask({ input_references: references, provider: null });
      expectIssues(refused, "input_references");
      expect(refused.json.error.message).toMatch(/takes no input_references/);
      expectIssues(await ask({ ...elsewhere("eleven/voice"), voice: ".." }), "voice");
      expectIssues(await ask({ voice: "http://169.254.169.254/latest" }), "voice");
      expectIssues(await ask({ ...elsewhere("mistral/voice"), voice: "https://localhost/a.wav" }), "voice");
      const recording = { type: "input_audio", input_audio: { data: "http://10.0.0.1/a.wav", format: "wav" } };
      const imitate = { ...elsewhere("mistral/voice"), input_references: [recording] };
      expectIssues(await ask(imitate), "input_references.0.input_audio.data");
      expect([vendor().requests, eleven().requests]).toEqual([[], []]);
    });

    it("ElevenLabs: its list of models is read by its own names", async () => {
      eleven().answer(json([{ model_id: "eleven_v3", name: "Eleven v3" }]));
      const tested = await gateway().call("POST", "/providers/eleven/test");
      expect(tested.text).toContain("eleven_v3");
    });

    it("a kind of provider without speech takes no such models", async () => {
      for (const kind of ["anthropic", "gemini", "cohere"]) {
        const body = { slug: kind, name: kind, kind, preset: kind, api_key: "k", models: [speaks(`${kind}/voice`)] };
        expectIssues(await gateway().call("POST", "/providers", { body }), "models.0.type");
      }
    });

    it("a caller who leaves pays, and the vendor's work is cut off even while it is silent", async () => {
      vendor().answer(audio({ pieces: [sound], end: "hang" }));
      const leaving = new AbortController();
      const abandoned = vendor().abandoned();
      const answer = await begin({}, leaving.signal);
      leaving.abort();
      expect(await ended(answer)).toMatchObject({ status: 200, cancelled: true, cost: 16_000n });
      await eventually(vendor().abandoned, (count) => count > abandoned);
      const { data } = (await gateway().call("GET", "/providers/acme")).json;
      expect(data.health.error_rate_last_30m ?? 0).toBe(0);
    });

    it("a caller who stops reading is let go, and pays", async () => {
      vendor().answer(audio({ pieces: Array.from({ length: 16 }, () => Buffer.alloc(1_048_576, 1)) }));
      const answer = await begin();
      expect(await ended(answer)).toMatchObject({ cancelled: true, cost: 16_000n });
      await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: "2" } },
);
