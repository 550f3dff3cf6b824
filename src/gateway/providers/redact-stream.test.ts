import { describe, expect, it } from "vitest";
import type { JsonObject } from "./answer.ts";
import type { ChatEvent, Upstream } from "./provider.ts";
import { StreamRedactor } from "./redact-stream.ts";
import { withoutKey } from "./redact.ts";
import { runAtOnce } from "../turns.ts";

const apiKey = "sk-canary-0123456789-abcdef";
const upstream: Upstream = {
  slug: "acme",
  kind: "openai-compatible",
  baseUrl: "http://127.0.0.1",
  apiKey,
  options: {},
};

const chunk = (delta: JsonObject, finish: string | null = null): ChatEvent => ({
  type: "chunk",
  chunk: { choices: [{ index: 0, delta, finish_reason: finish }] },
});
/** What each event passes on, as the relay sends it. */
function pass(events: readonly ChatEvent[]): JsonObject[][] {
  const redactor = new StreamRedactor(upstream);
  const read = events.map((event) => JSON.parse(withoutKey(upstream, JSON.stringify(event))) as ChatEvent);
  const passed = [...read.map((event) => runAtOnce(redactor.pass(event))), redactor.end()];
  return passed.map((some) =>
    some.flatMap((event) =>
      event.type === "chunk" ? event.chunk.choices.map(({ delta }) => delta as JsonObject) : [],
    ),
  );
}
const said = (deltas: readonly JsonObject[][], member = "content") =>
  deltas
    .flat()
    .map((delta) => delta[member])
    .join("");
const inPieces = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];

describe("a key that a stream repeats in pieces", () => {
  const forms = [apiKey, Buffer.from(apiKey).toString("base64"), encodeURIComponent(apiKey)];
  it.each([1, 2, 3, 5, 7, 11, 13, 15, 20])(
    "is hidden in pieces of %d characters, and what is around it is not",
    (size) => {
      for (const form of forms) {
        const pieces = inPieces(`Your key is ${form}, which is wrong`, size);
        const text = said(pass([...pieces.map((content) => chunk({ content })), chunk({}, "stop"), { type: "done" }]));
        expect(text).toMatch(/^Your key is .{0,11}\[key\].{0,5}, which is wrong$/);
      }
    },
  );

  it("is hidden in a tool's arguments, in reasoning and in parts", () => {
    for (const wrap of [
      (text: string) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
      (text: string) => ({ reasoning: text }),
      (text: string) => ({ reasoning_details: [{ index: 0, type: "reasoning.text", text }] }),
      (text: string) => ({ content: [{ type: "text", text }] }),
      (text: string) => ({ reasoning_details: [{ index: 0, type: "reasoning.summary", text: "", summary: text }] }),
      (text: string) => ({ audio: { id: "audio-1", transcript: text } }),
      (text: string) => ({ function_call: { arguments: text } }),
      (text: string) => ({ annotations: [{ url_citation: { title: text } }] }),
    ]) {
      const pieces = inPieces(`<${apiKey}>`, 4);
      const passed = pass([...pieces.map((text) => chunk(wrap(text))), chunk({}, "stop")]);
      const texts = JSON.stringify(passed).matchAll(
        /"(?:arguments|reasoning|text|summary|transcript|title)":"([^"]*)"/g,
      );
      const text = [...texts]
        .map((match) => match[1])
        .filter((each) => !/^(?:reasoning\.|text)/.test(each ?? ""))
        .join("");
      expect(text).toMatch(/^<.{0,11}\[key\]>$/);
    }
  });

  it("is hidden where an entry's place is anything at all", () => {
    const index = { toString: 1 };
    const passed = pass(inPieces(`<${apiKey}>`, 4).map((text) => chunk({ tool_calls: [{ index, name: text }] })));
    expect(JSON.stringify(passed)).toContain("[key]");
  });

  it("is hidden in the tokens whose probabilities are told", () => {
    const choices = inPieces(`<${apiKey}>`, 4).map((token) => ({
      index: 0,
      delta: { content: token },
      logprobs: { content: [{ token, logprob: -1, bytes: [...Buffer.from(token)], top_logprobs: [] }] },
    }));
    const redactor = new StreamRedactor(upstream);
    const passed = choices.flatMap((choice) =>
      runAtOnce(redactor.pass({ type: "chunk", chunk: { choices: [choice] } })).flatMap((event) =>
        event.type === "chunk" ? event.chunk.choices : [],
      ),
    );
    expect(passed[0]).toEqual(choices[0]);
    const tokens = passed.flatMap(
      ({ logprobs }) => (logprobs as (typeof choices)[0]["logprobs"] | null)?.content ?? [],
    );
    expect(tokens.map(({ token }) => token).join("")).toMatch(/^<.{0,11}$/);
  });

  it("is hidden where the stream ends within it", () => {
    for (const last of [[chunk({}, "stop")], [{ type: "done" } as const], []]) {
      const events = inPieces(`key ${apiKey.slice(0, 20)}`, 3).map((content) => chunk({ content }));
      expect(said(pass([...events, ...last]))).toMatch(/^key .{0,5}\[key\]$/);
    }
  });
});

describe("a text that is not the key", () => {
  it("passes at once, piece by piece", () => {
    const pieces = ["Hello", " sk-", "can you", " tell? d[key]", "-1", "0123", " bottles", ""];
    const passed = pass(pieces.map((content) => chunk({ content })));
    expect(said(passed)).toBe(pieces.join(""));
    expect(passed.slice(0, 4).map((each) => said([each]))).toEqual(pieces.slice(0, 4));
  });

  it("passes with the next piece where it begins like it, and before the end of its choice", () => {
    const start = apiKey.slice(0, 8);
    const deltas = pass([
      chunk({ content: `a ${start}` }),
      chunk({ content: "X" }),
      chunk({ content: start }),
      chunk({}, "stop"),
    ]);
    expect(deltas.map((each) => said([each]))).toEqual(["a ", `${start}X`, "", start, ""]);
  });

  it("passes whole where one piece is long", () => {
    const text = `${"x".repeat(100_000)}${apiKey.slice(0, 7)}`;
    expect(said(pass([chunk({ content: apiKey.slice(0, 9) }), chunk({ content: text }, "stop")]))).toBe(
      apiKey.slice(0, 9) + text,
    );
  });
});
