import { describe, expect, it } from "vitest";
import { CompletionChunk, createCompletion } from "#contract/completions.ts";
import { chunk, inPieces, streamedChat, wholeChat } from "../../testing/chat-answers.ts";
import { exchange, type ExchangePartner } from "../../testing/exchange.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { withVendor } from "../../testing/vendor-setup.ts";
import { completedBy } from "../preset/merge.ts";
import { completionsForm } from "./completions-form.ts";

/** Long enough for the usage that the vendor reports to be believed. */
const prompt = "Once upon a time ".repeat(10);
const usage = { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130 };
const thought = { reasoning: "a thought" };
const told = wholeChat({ content: " there was a gate", ...thought });
const ask = async (body: object = {}, answer = told, partner: ExchangePartner = {}) => {
  const made = await exchange(completionsForm, { model: "acme/talk", prompt, ...body }, answer, partner);
  return { ...made, sentBody: JSON.parse(made.sent[0]?.body ?? "{}") };
};

describe("a completion", () => {
  it("is the prompt as one message, the answer as text, and what it cost", async () => {
    const own = { max_tokens: 40, temperature: 0.5, surprise: 1 };
    const { json, text, sent, sentBody, entry } = await ask(own);
    expect(createCompletion.returns.parse(json)).toMatchObject({
      id: entry?.id,
      object: "text_completion",
      created: 1_795_262_400,
      model: "acme/talk",
      choices: [{ index: 0, text: " there was a gate", finish_reason: "stop", logprobs: null }],
      usage: { ...usage, cost: 0.00016 },
    });
    expect(text).not.toContain("a thought");
    expect(sent[0]?.path).toBe("/v1/chat/completions");
    const messages = [{ role: "user", content: prompt }];
    expect(sentBody).toEqual({ model: "upstream-talk", messages, stream: false, ...own });
    expect(entry).toMatchObject({ apiType: "completions", cost: 160_000n });
  });

  it("may come from a server that answers in the form of completions, whatever it is asked", async () => {
    const choices = [{ index: 0, text: " there was a gate", finish_reason: "stop", logprobs: null }];
    const own = { headers: { "content-type": "application/json" }, pieces: [JSON.stringify({ choices, usage })] };
    const { json, entry } = await ask({}, own);
    expect(json.choices).toEqual(choices);
    expect(entry?.cost).toBe(160_000n);
  });

  it("passes on what the vendor says that its own provider asked", async () => {
    const own = wholeChat({ content: "Hi" }, "stop", { cost_details: { upstream_inference_cost: 0.0036 } });
    const { json } = await ask({}, own);
    expect(json.usage).toMatchObject({ cost: 0.00016, cost_details: { upstream_inference_cost: 0.0036 } });
  });

  it("may have several answers to one prompt, which may be a list of one", async () => {
    const choices = ["one", "two"].map((content, index) => ({ index, message: { content }, finish_reason: "stop" }));
    const both = { headers: { "content-type": "application/json" }, pieces: [JSON.stringify({ choices, usage })] };
    const asked = { prompt: [prompt], n: 2, echo: false, suffix: null, logprobs: null };
    const { json, sentBody } = await ask(asked, both);
    expect(json.choices.map(({ text }: { text: string }) => text)).toEqual(["one", "two"]);
    expect(sentBody).toMatchObject({ messages: [{ role: "user", content: prompt }], n: 2 });
    for (const name of ["prompt", "echo", "suffix", "logprobs"]) expect(sentBody).not.toHaveProperty(name);
  });

  it.each([1, 1_000_000])("is streamed as text, then its usage, without thoughts: from pieces of %i", async (size) => {
    const frames = [chunk(thought), chunk({ content: " there" }), chunk({ content: " was" }, "length")];
    const { headers, text } = await ask({ stream: true }, inPieces(streamedChat(...frames), size));
    expect(headers["content-type"]).toMatch(/^text\/event-stream/);
    const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) =>
      CompletionChunk.parse(JSON.parse(data ?? "")),
    );
    expect(chunks.map(({ choices }) => choices.map((each) => [each.text, each.finish_reason]))).toEqual([
      [[" there", null]],
      [[" was", "length"]],
      [],
    ]);
    expect(chunks.at(-1)?.usage).toMatchObject({ ...usage, cost: 0.00016 });
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  it("402: a model without a price, for a key with a limit", async () => {
    const { refusal } = await ask({}, told, { limit: 1, model: { prices: null } });
    expect([refusal?.type, refusal?.message]).toEqual(["payment_required", expect.stringMatching(/has no price/)]);
  });

  it("400: an address in a private network, in whichever member", async () => {
    const { refusal, sent } = await ask({ image: "http://169.254.169.254/" });
    expect([refusal?.details["issues"], sent]).toEqual([[expect.objectContaining({ path: "image" })], []]);
  });

  it("is completed by a preset, without what only a conversation has", () => {
    const tools = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];
    const config = { model: "acme/talk", temperature: 0.2, tools };
    expect(completedBy("completions", { config, systemPrompt: "Be brief." }, { prompt })).toEqual({
      prompt,
      model: "acme/talk",
      temperature: 0.2,
    });
  });
});

describeGateway("createCompletion", (gateway) => {
  withVendor(gateway);

  it("200: whole and as a stream", async () => {
    const { key } = await makeKey(gateway());
    const body = { model: "acme/talk", prompt };
    const whole = await gateway().call("POST", "/completions", { key, body });
    expect(whole.json.choices[0].text).toBe("Hello from the fake vendor.");
    const { text } = await gateway().call("POST", "/completions", { key, body: { ...body, stream: true } });
    expect(text).toMatch(/"text":"Hello".*\[DONE\]/s);
  });
});
