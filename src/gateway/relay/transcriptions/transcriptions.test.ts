import { expect, it } from "vitest";
import { TranscriptionResult } from "#contract/transcriptions.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectError } from "../../testing/expect-error.ts";
import { withOperation } from "../../testing/scripted-setup.ts";
import { json } from "../../testing/scripted-vendor.ts";
import { wave } from "../../testing/wave.ts";

/** 1,000 nano-dollars a second */
const ear = {
  id: "acme/ear",
  upstream_id: "whisper-1",
  type: "transcription" as const,
  pricing: { prompt: "0", second: "0.000001" },
};
const text = "The gate is red.";
const sound = wave(3);

/** A form as browsers write it. */
async function formOf(fields: Readonly<Record<string, string>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: "acme/ear", ...fields })) form.append(name, value);
  form.append("file", new File([new Uint8Array(sound)], "a.wav"));
  const request = new Request("http://gw.example", { method: "POST", body: form });
  const raw = Buffer.from(await request.arrayBuffer());
  return { raw, headers: { "content-type": request.headers.get("content-type") ?? "" } };
}

describeGateway("createTranscription", (gateway) => {
  const { vendor, second, key, ask, row } = withOperation(gateway, {
    path: "/audio/transcriptions",
    body: { input_audio: { data: sound.toString("base64"), format: "wav" } },
    models: [ear],
    answer: json({ text, usage: { type: "duration", seconds: 3 } }),
  });
  const send = async (provider: object, fields: Readonly<Record<string, string>> = {}) =>
    await gateway().call("POST", "/audio/transcriptions", {
      key: key(),
      ...(await formOf({ provider: JSON.stringify(provider), ...fields })),
    });

  it("200: a form's file reaches the vendor as a file of its format; the text, its cost, and the row", async () => {
    const answer = await send({ only: ["acme"] }, { language: "en", "include[]": "logprobs" });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toEqual({ text, usage: { cost: 0.000003, is_byok: false, seconds: 3 } });
    expect(TranscriptionResult.parse(answer.json)).toEqual(answer.json);
    const { path, headers, body } = vendor().requests.at(-1) ?? { path: "", headers: {}, body: "" };
    expect(path).toBe("/v1/audio/transcriptions");
    const type = headers["content-type"] ?? "";
    const form = await new Response(Buffer.from(body, "utf8"), { headers: { "content-type": type } }).formData();
    const { file, ...fields } = Object.fromEntries(form);
    const members = { model: "whisper-1", language: "en", response_format: "json" };
    expect(fields).toEqual({ ...members, "include[]": "logprobs" });
    expect((file as File).name).toBe("audio.wav");
    expect(Number(headers["content-length"])).toBeGreaterThan(sound.length);
    expect(await row(answer)).toMatchObject({
      api_type: "transcriptions",
      cost: 3_000n,
      unit: "second",
      units: 3,
      metered_by: "upstream",
    });
    const { data } = (await gateway().call("GET", `/generation?id=${answer.headers.get("x-generation-id")}`)).json;
    expect(data.api_type).toBe("stt");
  });

  it("200: a data URL in JSON, and what the vendor says verbosely", async () => {
    const verbose = { task: "transcribe", language: "english", duration: "2.5", text };
    vendor().answer(json(verbose));
    const data = `data:audio/wav;base64,${sound.toString("base64")}`;
    const answer = await ask({ input_audio: { data, format: "wav" }, response_format: "verbose_json" });
    expect(answer.json).toMatchObject({ ...verbose, duration: 2.5 });
    expect(await row(answer)).toMatchObject({ units: 2.5, cost: 2_500n });
  });

  it("200: tokens by the vendor's count, in the answer and on the row; the gateway's where it has none", async () => {
    vendor().answer(json({ text, usage: { type: "tokens", input_tokens: 40, output_tokens: 6 } }));
    const answer = await ask();
    expect(answer.json.usage).toMatchObject({ input_tokens: 40, output_tokens: 6, total_tokens: 46 });
    expect(await row(answer)).toMatchObject({ prompt_tokens: 40, completion_tokens: 6 });
    vendor().answer(json({ text }));
    const uncounted = await ask();
    expect(uncounted.json.usage.cost).toBeCloseTo(0.000003, 7);
    expect(await row(uncounted)).toMatchObject({ metered_by: "gateway" });
  });

  it("asks the next provider with the same file", async () => {
    vendor().answer({ ...json({ text }), pieces: ['{"text":'], end: "cut" });
    expect((await send({ order: ["acme", "second"] })).status).toBe(200);
    const lengths = [vendor(), second()].map(({ requests }) => requests.at(-1)?.headers["content-length"]);
    expect(lengths[1]).toBe(lengths[0]);
  });

  it("400: a form that is cut off, and a form where none is taken", async () => {
    const raw = { key: key(), raw: "--b", headers: { "content-type": "multipart/form-data; boundary=b" } };
    expectError(await gateway().call("POST", "/audio/transcriptions", raw), "invalid_request", /form is cut off/);
    expectError(await gateway().call("POST", "/audio/speech", raw), "invalid_request", /application\/json/);
    expect(vendor().requests).toHaveLength(0);
  });
});
