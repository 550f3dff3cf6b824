import { describe, expect, it } from "vitest";
import { ChatBody } from "#contract/chat.ts";
import { MessagesBody } from "#contract/messages.ts";
import type { ModelRecord } from "#contract/models.ts";
import { ResponsesBody } from "#contract/responses.ts";
import { errorIn, grow, noAnswer } from "./answer.ts";
import { bodySnippets, requestIn } from "./chat-code.ts";
import { costWords, priceWords, roughCost, sumUsd } from "./cost.ts";
import { eventReader } from "./events.ts";
import { unpricedWords, whyNotSend } from "./lanes.ts";
import { blocksOf, spansOf } from "./markdown.ts";
import { messagesOf } from "./messages.ts";
import { parametersOf, readExtra } from "./parameters.ts";
import { turnErrorWords } from "./turn-error.ts";

const chunk = (delta: object, more: object = {}) =>
  JSON.stringify({ id: "gen-1", choices: [{ index: 0, delta, finish_reason: null }], ...more });
const priced = { prompt: "0.000001", completion: "0.000002" };
const model = (pricing: object, parameters: string[] = []) =>
  ({ id: "acme/talk", pricing, supported_parameters: parameters }) as unknown as ModelRecord;

describe("the stream's events", () => {
  const stream = ": waiting\r\n\r\ndata: one\r\n\r\ndata:two\ndata: lines\n\nevent: x\rdata: three\r\rdata: never";

  it("are the same however the stream was cut, and only those that are complete", () => {
    for (let size = 1; size <= stream.length; size += 1) {
      const read = eventReader();
      const events: string[] = [];
      for (let at = 0; at < stream.length; at += size) events.push(...read(stream.slice(at, at + size)));
      expect(events).toEqual(["one", "two\nlines", "three"]);
    }
  });
});

describe("an answer", () => {
  const grown = (...events: string[]) => events.reduce(grow, noAnswer);

  it("grows by text, thoughts and tool calls, and ends with the cost that was settled", () => {
    const call = (part: object) => chunk({ tool_calls: [{ index: 0, function: part }] });
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 4,
      cost: 0.0042,
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    const answer = grown(
      chunk({ reasoning: "Well" }),
      chunk({ content: "Hel" }),
      chunk({ content: "lo" }),
      call({ name: "look", arguments: '{"a"' }),
      call({ arguments: ":1}" }),
      JSON.stringify({ id: "gen-1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
      JSON.stringify({ id: "gen-1", choices: [], usage }),
    );
    expect(answer).toMatchObject({
      state: "streaming",
      text: "Hello",
      thoughts: "Well",
      call: "gen-1",
      finish: "stop",
    });
    expect(answer).toMatchObject({
      tools: [{ name: "look", arguments: '{"a":1}' }],
      cost: 0.0042,
      usage: { thoughts: 2 },
    });
    expect(grow(answer, "[DONE]").state).toBe("done");
  });

  it("keeps what came when its stream fails, and what cannot be read changes nothing", () => {
    const error = { code: 502, message: "gone", metadata: { provider_name: "Acme" } };
    const failed = grown(chunk({ content: "Hel" }), "{no json", "null", chunk({}, { error }), "[DONE]");
    expect(failed).toMatchObject({ state: "failed", text: "Hel", error: { status: 502, provider: "Acme" } });
  });
});

describe("costs", () => {
  it("are estimated from what is priced, replaced by what was charged, and summed to the nano-dollar", () => {
    const coming = { ...noAnswer, state: "streaming" as const, call: "gen-1", text: "word ".repeat(100) };
    const rough = roughCost(coming, "hello there", priced);
    expect(rough).toBeGreaterThan(0.0001);
    expect(costWords(coming, rough)).toMatch(/^≈ \$0\.000/);
    expect(costWords({ ...coming, cost: 0.0042 }, rough)).toBe("$0.0042");
    expect(roughCost(coming, "", { prompt: "-1", completion: "-1" })).toBeNull();
    expect(costWords({ ...noAnswer, state: "failed" }, rough)).toBeUndefined();
    expect(sumUsd([0.1, 0.2, 0.000000001])).toBe(0.300000001);
    expect(["0", "-1"].map((price) => priceWords({ prompt: price, completion: price }))).toEqual(["free", "unpriced"]);
    expect(priceWords(priced)).toBe("$1.00 in · $2.00 out per million tokens");
  });

  it("that no price is known for are said before anything is sent, by whether the key has a limit", () => {
    const unpriced = model({ prompt: "-1", completion: "-1" });
    expect(unpricedWords(unpriced, undefined)).toContain("will refuse");
    expect(unpricedWords(unpriced, { limit: 5, limit_watch_only: false })).toContain("will refuse");
    expect(unpricedWords(unpriced, { limit: 5, limit_watch_only: true })).toContain("not known");
    expect(unpricedWords(unpriced, { limit: null, limit_watch_only: false })).toContain("not known");
    expect(unpricedWords(model(priced), undefined)).toBeNull();
  });
});

describe("a conversation", () => {
  const turns = [
    { text: "one", images: [], answers: ["first", ""] },
    { text: "lost", images: [], answers: ["", ""] },
    { text: "two", images: [], answers: ["second", "other"] },
  ];

  it("is sent to each model with its own answers, or the other's before it was chosen, without unanswered turns", () => {
    const sent = (lane: number) => messagesOf("Be short.", turns, { text: "three", images: [] }, lane);
    expect(sent(1).map(({ content }) => content)).toEqual(["Be short.", "one", "first", "two", "other", "three"]);
    expect(sent(0)[4]).toEqual({ role: "assistant", content: "second" });
    expect(messagesOf(" ", [], { text: "hi", images: [] }, 0)).toEqual([{ role: "user", content: "hi" }]);
  });

  it.each([
    ["chat", ChatBody],
    ["messages", MessagesBody],
    ["responses", ResponsesBody],
  ] as const)("is a request that the contract takes in the form of %s, in three languages", (dialect, schema) => {
    const messages = messagesOf('It\'s """ short.', turns, { text: "see", images: ["data:image/png;base64,AAAA"] }, 0);
    const more = { temperature: 0, max_tokens: 50, seed: 1, reasoning: { effort: "low" } };
    const { path, body, dropped } = requestIn(dialect, { model: "acme/talk", messages, more });
    expect(schema.parse(JSON.parse(JSON.stringify(body)))).toMatchObject({ model: "acme/talk", temperature: 0 });
    expect(JSON.stringify(body)).toMatch(/"effort":"low"/);
    expect(dropped).toEqual(dialect === "chat" ? [] : ["seed"]);
    const { curl, python, typescript } = bodySnippets(`https://gw.example${path}`, body);
    const written = /-d '(.*)'$/s.exec(curl)?.[1]?.replaceAll(String.raw`'\''`, "'") ?? "";
    expect(JSON.parse(written)).toEqual(body);
    expect(JSON.parse(python.split('r"""')[1]?.split('""")')[0] ?? "")).toEqual(body);
    for (const code of [curl, python, typescript]) expect(code).toContain("GATEHOUSE_API_KEY");
  });
});

describe("parameters", () => {
  it("go to the models that take them, and nothing else does", () => {
    const search = { temperature: 0.5, max_tokens: 10, seed: 2.5, effort: "low" };
    expect(parametersOf(search, model(priced, ["temperature", "max_completion_tokens"]))).toEqual({
      temperature: 0.5,
      max_tokens: 10,
    });
    // of a preset nothing is known; a seed is a whole number
    expect(parametersOf(search, undefined)).toEqual({ temperature: 0.5, max_tokens: 10, reasoning: { effort: "low" } });
  });

  it("that are written as JSON are an object, and never what the page sets itself", () => {
    expect(readExtra('{"stop": ["x"]}')).toEqual({ stop: ["x"] });
    expect(["[]", "{", '{"stream": false}'].map(readExtra)).toEqual([
      "Write an object: {…}",
      "This is not JSON",
      "The page sets stream itself",
    ]);
  });

  it("why nothing can be sent is one sentence", () => {
    const ready = { busy: false, written: true, models: ["a"], knowsWorkspace: true, reachable: true, extra: null };
    expect(whyNotSend(ready)).toBeNull();
    expect(whyNotSend({ ...ready, models: [undefined] })).toBe("Choose a model first");
    expect(whyNotSend({ ...ready, reachable: false })).toMatch(/cannot be reached/);
  });
});

it("what a model writes is text: code, headings and bold words, and HTML is shown as it was written", () => {
  const answer = "# Title\nSee `x` and **this** <img src=x onerror=alert(1)>\n\n```js\n# no title\n```\nend\n~~~\nopen";
  expect(blocksOf(answer)).toEqual([
    { kind: "heading", text: "Title" },
    { kind: "text", text: "See `x` and **this** <img src=x onerror=alert(1)>" },
    { kind: "code", text: "# no title" },
    { kind: "text", text: "end" },
    { kind: "code", text: "open" },
  ]);
  expect(spansOf("a `b` **c** <i>")).toEqual([
    { kind: "plain", text: "a " },
    { kind: "code", text: "b" },
    { kind: "plain", text: " " },
    { kind: "strong", text: "c" },
    { kind: "plain", text: " <i>" },
  ]);
});

it.each([
  [
    { code: 402, metadata: { limit_kind: "key" } },
    "The key’s limit leaves too little for this call",
    "/w/acme/keys/k1",
  ],
  [
    { code: 402, metadata: { limit_kind: "credits" } },
    "The credits left are too few for this call",
    "/w/acme/credits/add",
  ],
  [{ code: 403, metadata: { reason: "key_disabled" } }, "The key cannot be used", "/w/acme/keys/k1"],
  [{ code: 404 }, "acme/talk cannot be called", "/w/acme/models"],
  [{ code: 502, metadata: { provider_name: "Acme" } }, "Acme failed", undefined],
  [{ code: 403 }, "The key may not do this", undefined],
  [{}, "The connection was lost", undefined],
])("an error says what happened and where it is mended: %j", (error, title, to) => {
  const place = { workspace: "acme", workspaceId: "w1", model: "acme/talk", keyHash: "k1" };
  const words = turnErrorWords(errorIn({ message: "", ...error }), place);
  expect(words.title).toBe(title);
  expect(words.link?.to).toBe(to);
  expect(words.advice).toMatch(/\.$/);
});
