import { beforeEach, describe, expect, it } from "vitest";
import { CompletionChunk, createCompletion } from "#contract/completions.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { vendorsKey, withMediaVendor } from "../../testing/scripted-setup.ts";
import type { ScriptedAnswer } from "../../testing/scripted-vendor.ts";

const prompt = "Once upon a time";
const usage = { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 };
const choice = (text: string, index = 0) => ({
  index,
  message: { role: "assistant", content: text, reasoning: "a thought" },
  finish_reason: "stop",
});
const whole = (choices: object[] = [choice(" there was a gate")]): ScriptedAnswer => ({
  headers: { "content-type": "application/json" },
  pieces: [JSON.stringify({ created: 1_700_000_000, choices, usage })],
});
const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ created: 1, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const stream = (pieces: readonly string[], more: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
  headers: { "content-type": "text/event-stream" },
  pieces,
  ...more,
});
const told = stream([
  event({ reasoning: "a thought" }),
  event({ content: " there" }),
  event({ content: " was" }, "length"),
  `data: ${JSON.stringify({ choices: [], usage })}\n\n`,
  "data: [DONE]\n\n",
]);

describeGateway("createCompletion", (gateway) => {
  const talk = { upstream_id: "talk", type: "chat" as const, context_length: 1_000, max_completion_tokens: 100 };
  const vendor = withMediaVendor(gateway, {
    slug: "acme",
    models: [
      { id: "acme/talk", ...talk, pricing: { prompt: "0.000001", completion: "0.000002" } },
      { id: "acme/unpriced", ...talk },
    ],
  });
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway(), { limit: 1 }));
    vendor().requests.length = 0;
    vendor().answer(whole());
    gateway().clock.advance(3_600_000);
  });
  const complete = async (body: object = {}, more: { key?: string | null } = {}) =>
    await gateway().call("POST", "/completions", { key, body: { model: "acme/talk", prompt, ...body }, ...more });
  const sent = () => JSON.parse(vendor().requests.at(-1)?.body ?? "{}");
  const framesOf = (text: string) =>
    text
      .split("\n\n")
      .filter((frame) => frame.startsWith("data: {"))
      .map((frame) => CompletionChunk.parse(JSON.parse(frame.slice(6))));

  it("200: the prompt as one message, the answer as text, and what it cost", async () => {
    const answer = await complete({ max_tokens: 20, temperature: 0.5, surprise: 1 });
    expect(answer.status, answer.text).toBe(200);
    const id = answer.headers.get("x-generation-id");
    expect(createCompletion.returns.parse(answer.json)).toMatchObject({
      id,
      object: "text_completion",
      created: 1_700_000_000,
      model: "acme/talk",
      choices: [{ index: 0, text: " there was a gate", finish_reason: "stop", logprobs: null }],
      usage: { ...usage, cost: 0.000016 },
    });
    expect(answer.text).not.toContain("a thought");
    expect(vendor().requests.at(-1)?.path).toBe("/v1/chat/completions");
    const messages = [{ role: "user", content: prompt }];
    const own = { max_tokens: 20, temperature: 0.5, surprise: 1 };
    expect(sent()).toEqual({ model: "talk", messages, stream: false, ...own });
    expect(await ledgerRow(gateway(), id)).toMatchObject({ api_type: "completions", cost: 16_000n });
  });

  it("200: several answers to one prompt, which may be a list of one", async () => {
    vendor().answer(whole([choice("one"), choice("two", 1)]));
    const answer = await complete({ prompt: [prompt], n: 2, echo: false, suffix: null, logprobs: null });
    expect(answer.json.choices.map(({ text }: { text: string }) => text)).toEqual(["one", "two"]);
    expect(sent()).toMatchObject({ messages: [{ role: "user", content: prompt }], n: 2 });
    for (const name of ["prompt", "echo", "suffix", "logprobs"]) expect(sent()).not.toHaveProperty(name);
  });

  it("200: a stream of text, then its usage; what the model thinks is left out", async () => {
    vendor().answer(told);
    const answer = await complete({ stream: true });
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const frames = framesOf(answer.text);
    expect(frames.map(({ choices }) => choices.map(({ text, finish_reason: end }) => [text, end]))).toEqual([
      [[" there", null]],
      [[" was", "length"]],
      [],
    ]);
    expect(frames.at(-1)?.usage).toMatchObject({ ...usage, cost: 0.000016 });
    expect(answer.text.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  it("a stream that breaks off ends with an error", async () => {
    vendor().answer(stream([event({ content: " there" })], { end: "cut" }));
    const last = framesOf((await complete({ stream: true })).text).at(-1);
    expect(last).toMatchObject({ error: { code: 502 }, choices: [{ text: "", finish_reason: "error" }] });
  });

  it("is completed by a preset, without what only a conversation has", async () => {
    const workspace = await makeWorkspace(gateway());
    const own = await makeKey(gateway(), { workspace_id: workspace.id });
    const tools = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];
    const config = { model: "acme/talk", temperature: 0.2, tools };
    const body = { workspace_id: workspace.id, slug: "teller", name: "Teller", system_prompt: "Be brief.", config };
    expect((await gateway().call("POST", "/presets", { body })).status).toBe(201);
    const answer = await complete({ model: "@preset/teller" }, { key: own.key });
    expect(answer.status, answer.text).toBe(200);
    const messages = [{ role: "user", content: prompt }];
    expect(sent()).toEqual({ model: "talk", messages, stream: false, temperature: 0.2 });
  });

  describe("refusals", () => {
    it("400: no prompt, several, token ids, and what chat models do not have", async () => {
      expectIssues(await complete({ prompt: undefined }), "prompt");
      expectIssues(await complete({ prompt: "" }), "prompt");
      expectIssues(await complete({ prompt: ["a", "b"] }), "prompt");
      expectIssues(await complete({ prompt: [1, 2] }), "prompt");
      expectIssues(await complete({ echo: true }), "echo");
      expectIssues(await complete({ suffix: "the end" }), "suffix");
      expectIssues(await complete({ logprobs: 5 }), "logprobs");
      expectIssues(await complete({ messages: [{ role: "user", content: "a" }] }), "messages");
      expectIssues(await complete({ tools: [] }), "tools");
      expectIssues(await complete({ n: 0 }), "n");
      expectIssues(await complete({ image: "http://169.254.169.254/" }), "image");
      expect(vendor().requests).toHaveLength(0);
    });

    it("401, 402, 403 and 404 as chat has them", async () => {
      expectError(await complete({}, { key: null }), "authentication", /./);
      expectError(await complete({}, { key: gateway().managementKey }), "permission_denied", /./);
      expectError(await complete({ model: "acme/unpriced" }), "payment_required", /has no price/);
      expectError(await complete({ model: "acme/none" }), "not_found", /./);
    });

    it("400 by the vendor is the caller's, and its key is never said", async () => {
      const error = { message: `bad for ${vendorsKey}` };
      vendor().answer({ ...whole(), status: 400, pieces: [JSON.stringify({ error })] });
      const answer = await complete();
      expectError(answer, "invalid_request", /bad for/);
      expect(answer.text).not.toContain(vendorsKey);
    });
  });
});
