import { expect, it } from "vitest";
import type { ChatEvent } from "../../providers/provider.ts";
import { chunk, streamedChat } from "../../testing/chat-answers.ts";
import { exchange } from "../../testing/exchange.ts";
import { chatForm } from "./chat-form.ts";
import type { ChatRun } from "./run.ts";
import { noProgress, recordEvent } from "./stream-progress.ts";

const saying = (content: string): ChatEvent => ({
  type: "chunk",
  chunk: { choices: [{ index: 0, delta: { content } }] },
});

it("ends a stream that has no end, and takes room for its words step by step until then", () => {
  let taken = 0;
  const run = { request: { returned: 1 }, context: { call: { room: { take: (bytes: number) => (taken += bytes) } } } };
  const progress = noProgress(0);
  const hear = (content: string) => {
    const events = [saying(content)];
    recordEvent({ events, size: content.length, unread: 0, passed: null }, progress, run as unknown as ChatRun);
  };
  for (let pieces = 0; pieces < 10; pieces += 1) hear("x".repeat(10_000));
  expect([progress.kept, taken]).toEqual([100_000, 65_536]);
  Object.assign(progress, { kept: 64 * 1_048_576 - 10 });
  hear("x".repeat(10));
  expect(() => hear("x")).toThrow("the stream is longer than 67108864 characters");
});

it("a stream whose words find no room ends with an error, and what came is charged", async () => {
  const words = Array.from({ length: 8 }, () => chunk({ content: "x".repeat(20_000) }));
  const body = { model: "acme/talk", messages: [{ role: "user", content: "Hello" }], stream: true };
  const { text, entry } = await exchange(chatForm, body, streamedChat(...words, chunk({}, "stop")), { room: 200_000 });
  expect(text).toMatch(/holds as many answers of providers as it has room for.*"finish_reason":"error"/);
  expect(entry?.cost).toBeGreaterThan(100_000n);
});
