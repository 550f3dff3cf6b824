import { describe, expect, it } from "vitest";
import { affinityOf } from "./affinity.ts";
import type { ChatRequest } from "./request.ts";

const user = (content: unknown) => ({ role: "user", content });
const system = { role: "system", content: "You answer briefly." };
const of = (messages: object[], more: Partial<ChatRequest> = {}, tokens = 2_000) =>
  affinityOf({ sessionId: null, cacheKey: null, messages, ...more } as ChatRequest, tokens);

describe("what calls of a conversation have in common", () => {
  it("is the session before the cache key, and the cache key before the beginning", () => {
    expect(of([user("hi")], { sessionId: "s", cacheKey: "k" })).toBe("session s");
    expect(of([user("hi")], { cacheKey: "k" }, 1)).toBe("cache k");
    expect(of([user("hi")])).toMatch(/^beginning /);
  });

  it("is the beginning up to the first message of the user, whatever follows", () => {
    const first = of([system, user("What is this?")]);
    const later = [system, user("What is this?"), { role: "assistant", content: "A cat." }, user("And that?")];
    expect(of(later)).toBe(first);
    expect(of([system, user([{ type: "text", text: "What is this?" }])])).toBe(first);
    expect(of([system, user("What is that?")])).not.toBe(first);
    expect(of([user("What is this?")])).not.toBe(first);
  });

  it("is nothing for prompts that no vendor caches, and for those without a user", () => {
    expect(of([user("hi")], {}, 1_023)).toBeNull();
    expect(of([system])).toBeNull();
  });

  it("reads no more than the beginning of long messages", () => {
    const long = "x".repeat(10_000_000);
    expect(of([user(`${long}a`)])).toBe(of([user(`${long}b`)]));
    expect(
      of([
        user([
          { type: "text", text: long },
          { type: "text", text: "b" },
        ]),
      ]),
    ).toBe(of([user(long)]));
  });
});
