import { describe, expect, it } from "vitest";
import type { Piece } from "../sent.ts";
import type { ChatRun } from "../chat/run.ts";
import type { SettledChat } from "../chat/settled.ts";
import { MessagesWriter } from "./stream-writer.ts";

type Event = Record<string, unknown> & { type: string; index: number };
const candidate = { model: { id: "acme/talk" }, provider: { name: "Acme", slug: "acme" } } as never;

/** The events of blocks that a chat provider's deltas become. */
async function written(...deltas: object[]): Promise<Event[]> {
  const context = { id: "gen-1", createdAt: new Date(0), startedMs: 0, call: { headers: {} } };
  const run = { context, prompt: { tokens: 1 }, request: { models: [] }, attempts: { made: [] } };
  const writer = new MessagesWriter(run as unknown as ChatRun);
  const pieces: Piece[] = [];
  for (const delta of deltas) {
    const chunks = [{ choices: [{ index: 0, delta }] }];
    for await (const piece of writer.event(candidate, { events: [], size: 1, unread: 0, passed: null }, chunks)) {
      pieces.push(piece);
    }
  }
  const settled = { used: { promptTokens: 1, completionTokens: 1 }, usage: {} } as unknown as SettledChat;
  pieces.push(...writer.end(candidate, settled));
  const events = pieces
    .join("")
    .split("\n\n")
    .filter((frame) => frame !== "");
  return events.map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as Event);
}

const piece = (index: number, text: string, id?: string) => ({
  index,
  ...(id === undefined ? {} : { id }),
  function: { ...(id === undefined ? {} : { name: `tool_${id}` }), arguments: text },
});
const calling = (...tool_calls: object[]) => ({ tool_calls });

/** Each call's input as clients put it together, by its block. */
function inputs(events: readonly Event[]) {
  const blocks = new Map<number, { id: unknown; json: string; stopped: boolean }>();
  for (const { type, index, content_block: block, delta } of events) {
    if (type === "content_block_start" && (block as Event).type === "tool_use") {
      blocks.set(index, { id: (block as { id: unknown }).id, json: "", stopped: false });
    }
    const open = blocks.get(index);
    if (open === undefined) continue;
    if (type === "content_block_delta") open.json += (delta as { partial_json: string }).partial_json;
    if (type === "content_block_stop") open.stopped = true;
  }
  return [...blocks.values()];
}

describe("tool calls in a stream of messages", () => {
  const whole = [
    { id: "a", json: '{"x":1}', stopped: true },
    { id: "b", json: '{"y":2}', stopped: true },
  ];

  it.each([
    [
      "one after the other",
      [calling(piece(0, '{"x":', "a")), calling(piece(0, "1}")), calling(piece(1, '{"y":2}', "b"))],
    ],
    [
      "in turns",
      [
        calling(piece(0, '{"x"', "a"), piece(1, '{"y"', "b")),
        calling(piece(0, ":1")),
        calling(piece(1, ":2")),
        calling(piece(0, "}"), piece(1, "}")),
      ],
    ],
    [
      "begun together",
      [calling(piece(0, "", "a"), piece(1, "", "b")), calling(piece(1, '{"y":2}'), piece(0, '{"x":1}'))],
    ],
  ])("are one block each, whole: %s", async (_, deltas) => {
    expect(inputs(await written(...deltas))).toEqual(whole);
  });

  it("close as soon as they are complete and another block begins", async () => {
    const events = await written(calling(piece(0, '{"x":1}', "a")), calling(piece(1, '{"y":2}', "b")), {
      content: "Done",
    });
    const blocks = events.filter(({ type }) => type.startsWith("content_block_st"));
    expect(blocks.map(({ type, index }) => `${type.slice(14)} ${index}`)).toEqual([
      "start 0",
      "stop 0",
      "start 1",
      "stop 1",
      "start 2",
      "stop 2",
    ]);
  });
});
