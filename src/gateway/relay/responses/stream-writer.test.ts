import { describe, expect, it } from "vitest";
import type { Piece } from "../sent.ts";
import type { ChatRun } from "../chat/run.ts";
import type { SettledChat } from "../chat/settled.ts";
import { ResponsesWriter } from "./stream-writer.ts";

const candidate = { model: { id: "acme/talk" }, provider: { name: "Acme", slug: "acme" } };
const settled = { used: { promptTokens: 1, completionTokens: 1 }, usage: {} };

/** A writer, and how much room it has taken. */
function writing() {
  let taken = 0;
  const room = { take: (bytes: number) => void (taken += bytes) };
  const call = { body: Buffer.from("{}"), credential: { hash: "key" }, room, headers: {} };
  const context = { id: "gen-1", createdAt: new Date(0), startedMs: 0, call };
  const run = { context, request: { passed: null, models: ["acme/talk"] }, attempts: { made: [] } };
  const writer = new ResponsesWriter(run as unknown as ChatRun);
  const at = candidate as unknown as Parameters<ResponsesWriter["event"]>[0];
  return {
    taken: () => taken,
    async say(...deltas: object[]): Promise<Piece[]> {
      const chunks = deltas.map((delta) => ({ choices: [{ index: 0, delta }] }));
      const size = JSON.stringify(chunks).length;
      return await collected(writer.event(at, { events: [], size, unread: 0, passed: null }, chunks));
    },
    end: async () => await collected(writer.end(at, settled as unknown as SettledChat)),
  };
}

async function collected(pieces: Iterable<Piece> | AsyncIterable<Piece>): Promise<Piece[]> {
  const all: Piece[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

/** The response in a stream's last event. */
function endOf(pieces: readonly Piece[]): { output: unknown } {
  const frame =
    pieces
      .join("")
      .split("\n\n")
      .findLast((each) => each.startsWith("event: response.completed")) ?? "";
  const { response } = JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as { response: { output: unknown } };
  return response;
}

const longest = (pieces: readonly Piece[]) => Math.max(...pieces.map(({ length }) => length));
const total = (pieces: readonly Piece[]) => pieces.reduce((sum, { length }) => sum + length, 0);
const cited = (length: number) => ({
  annotations: [{ type: "url_citation", url_citation: { url: `https://a/${"x".repeat(length)}`, title: "t" } }],
});

describe("a translated stream", () => {
  it("keeps two signed thoughts in a row apart, and says one that comes twice once", async () => {
    const { say, end } = writing();
    const detail = (more: object) => ({ reasoning_details: [{ type: "reasoning.text", ...more }] });
    await say(detail({ text: "first" }), detail({ signature: "one" }), detail({ signature: "one" }));
    await say(detail({ text: "second" }), detail({ signature: "two" }), { content: "Hello" });
    const { output } = endOf(await end());
    expect(output).toMatchObject([
      { type: "reasoning", content: [{ type: "reasoning_text", text: "first" }], signature: "one" },
      { type: "reasoning", content: [{ type: "reasoning_text", text: "second" }], signature: "two" },
      { type: "message", content: [{ text: "Hello" }] },
    ]);
  });

  it("takes room for the annotations that it repeats at its end, and writes them in pieces", async () => {
    const { say, end, taken } = writing();
    await say({ content: "See:" });
    for (let at = 0; at < 200; at += 1) await say(cited(30_000));
    expect(taken()).toBeGreaterThan(5_800_000);
    const pieces = await end();
    expect(total(pieces)).toBeGreaterThan(3 * 6_000_000);
    expect(longest(pieces)).toBeLessThan(500_000);
  });

  it("takes room for the names and signatures that it repeats at its end, and writes them in pieces", async () => {
    const { say, end, taken } = writing();
    for (let at = 0; at < 100; at += 1) {
      await say({ reasoning_details: [{ type: "reasoning.text", text: "hm", signature: "s".repeat(30_000) }] });
      await say({ tool_calls: [{ index: at, id: "c", function: { name: "f".repeat(30_000), arguments: "{}" } }] });
    }
    expect(taken()).toBeGreaterThan(5_800_000);
    const pieces = await end();
    expect(longest(pieces)).toBeLessThan(500_000);
  });

  it("writes a thousand calls of middling length one by one", async () => {
    const { say, end } = writing();
    for (let at = 0; at < 1_000; at += 1) {
      await say({ tool_calls: [{ index: at, id: "c", function: { name: "f", arguments: "x".repeat(5_000) } }] });
    }
    let passed = false;
    setImmediate(() => (passed = true));
    const pieces = await end();
    expect(total(pieces)).toBeGreaterThan(3 * 5_000_000);
    expect(longest(pieces)).toBeLessThan(500_000);
    expect(passed).toBe(true);
  });

  it("has no message of more parts than any model writes", async () => {
    const { say } = writing();
    const alternating = Array.from({ length: 2_049 }, () => [{ content: "a" }, { refusal: "b" }]).flat();
    await expect(say(...alternating)).rejects.toThrow("the stream has a message of more than 4096 parts");
  });
});
