import { expect, it } from "vitest";
import { largestBody } from "#contract/generations.ts";
import { AssembledAnswer } from "./assembled-answer.ts";

const thought = (index: number | undefined, members: object) => ({
  reasoning_details: [{ type: "reasoning.text", ...(index === undefined ? {} : { index }), ...members }],
});
const called = (members: object) => ({ tool_calls: [{ index: 0, ...members }] });
const recorded = (message: object, more: object = {}) => [
  {
    index: 0,
    message: { role: "assistant", content: null, refusal: null, ...message },
    logprobs: null,
    finish_reason: null,
    ...more,
  },
];

function assembled(deltas: readonly object[], unfinished: "error" | null = null) {
  const answer = new AssembledAnswer();
  for (const delta of deltas) answer.add({ choices: [{ index: 0, delta, finish_reason: null }] });
  return answer.choices(unfinished);
}

it.each<[string, object[], object]>([
  [
    "audio by its id, with what it says",
    [
      { audio: { id: "a", transcript: "Hel" } },
      { audio: { id: "a", data: "AA" } },
      { audio: { transcript: "lo", data: "BB", expires_at: 9 } },
    ],
    { audio: { id: "a", transcript: "Hello", data: "AABB", expires_at: 9 } },
  ],
  [
    "text among references, as parts",
    [
      { content: "See " },
      { content: [{ type: "reference", reference_ids: [1] }] },
      { content: [{ type: "text", text: " the" }] },
      { content: " sea" },
    ],
    {
      content: [
        { type: "text", text: "See " },
        { type: "reference", reference_ids: [1] },
        { type: "text", text: " the sea" },
      ],
    },
  ],
  [
    "the older form of a call",
    [{ function_call: { name: "look", arguments: "{" } }, { function_call: { arguments: "}" } }],
    { function_call: { name: "look", arguments: "{}" } },
  ],
  [
    "a call whose id and name each piece repeats",
    [
      called({ id: "c", type: "function", function: { name: "look", arguments: "{" } }),
      called({ id: "c", type: "function", function: { name: "look", arguments: "}" } }),
    ],
    { tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }] },
  ],
  [
    "a call of another kind",
    [
      called({ id: "c", type: "custom", custom: { name: "sql", input: "select" } }),
      called({ custom: { input: " 1" } }),
    ],
    { tool_calls: [{ id: "c", type: "custom", custom: { name: "sql", input: "select 1" } }] },
  ],
  [
    "thoughts without numbers, each with its own signature",
    [
      thought(undefined, { text: "a" }),
      thought(undefined, { signature: "s" }),
      thought(undefined, { text: "b", signature: "t" }),
    ],
    {
      reasoning_details: [
        { type: "reasoning.text", text: "a", signature: "s" },
        { type: "reasoning.text", text: "b", signature: "t" },
      ],
    },
  ],
  [
    "a thought whose signature is said twice",
    [thought(0, { text: "a" }), thought(0, { signature: "s" }), thought(0, { signature: "s", text: null })],
    { reasoning_details: [{ type: "reasoning.text", index: 0, text: "a", signature: "s" }] },
  ],
  [
    "citations, and members that are not known",
    [
      { annotations: [{ type: "url_citation" }], mood: "gl" },
      { annotations: [{ type: "file_citation" }], mood: "ad", depth: 2 },
    ],
    { annotations: [{ type: "url_citation" }, { type: "file_citation" }], mood: "glad", depth: 2 },
  ],
])("puts together %s", (_, deltas, message) => expect(assembled(deltas)).toEqual(recorded(message)));

it("keeps what a choice said of itself where later chunks say nothing", () => {
  const answer = new AssembledAnswer();
  const results = { hate: { filtered: false } };
  answer.add({ choices: [{ index: 1, delta: { content: "b" } }] });
  answer.add({ choices: [{ index: 0, delta: { content: "a" }, content_filter_results: results }] });
  answer.add({ choices: [{ index: 0, delta: {}, content_filter_results: {}, finish_reason: "stop" }] });
  expect(answer.choices(null)).toMatchObject([
    { index: 0, message: { content: "a" }, content_filter_results: results, finish_reason: "stop" },
    { index: 1, message: { content: "b" }, finish_reason: null },
  ]);
});

it("says that a choice which broke off ended with an error, and nothing where nothing was said", () => {
  const cut = [called({ id: "c", type: "function", function: { name: "look", arguments: '{"pl' } })];
  const tool_calls = [{ id: "c", type: "function", function: { name: "look", arguments: '{"pl' } }];
  expect(assembled(cut, "error")).toEqual(recorded({ tool_calls }, { finish_reason: "error" }));
  expect(assembled([{ role: "assistant", content: "" }], "error")).toBeNull();
});

it.each<[string, (at: number) => object]>([
  ["text", () => ({ content: "x".repeat(1_000) })],
  ["calls", (at) => ({ tool_calls: Array.from({ length: 100 }, (_, piece) => ({ index: at * 100 + piece })) })],
  ["images", () => ({ images: [{ image_url: { url: "x".repeat(1_000) } }] })],
  ["members", (at) => Object.fromEntries(Array.from({ length: 100 }, (_, piece) => [`member ${at} ${piece}`, piece]))],
  [
    "empty thoughts",
    (at) => ({ reasoning_details: Array.from({ length: 100 }, (_, piece) => ({ type: `${at} ${piece}` })) }),
  ],
])("holds no more %s than a record may have", (_, delta) => {
  const answer = new AssembledAnswer();
  let most = 0;
  for (let at = 0; at < 10_000 && !answer.isTooLong; at += 1) {
    answer.add({ choices: [{ index: 0, delta: delta(at) }] });
    most = Math.max(most, answer.besides);
  }
  expect([answer.isTooLong, answer.choices(null), answer.besides]).toEqual([true, null, 0]);
  expect(most).toBeLessThan(largestBody * 1.02);
});
