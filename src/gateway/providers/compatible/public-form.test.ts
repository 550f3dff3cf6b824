import { describe, expect, it } from "vitest";
import { chunkNormalizer, publicResult } from "./public-form.ts";

type Piece = Record<string, unknown>;
const call = (index: number | undefined, id: string | undefined, name?: string, text?: string): Piece => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  type: "function",
  function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
});

/** The calls of a stream as a client puts them together, and why it ended. */
function streamed(pieces: readonly (readonly Piece[])[], reason = "stop") {
  const normalize = chunkNormalizer();
  const calls = new Map<number, { id?: string; name?: string; text: string }>();
  let finish: unknown = null;
  const chunks = [
    ...pieces.map((tool_calls) => ({ index: 0, delta: { tool_calls }, finish_reason: null })),
    { index: 0, delta: {}, finish_reason: reason },
  ];
  for (const choice of chunks) {
    const { choices } = normalize({ object: "chat.completion.chunk", choices: [choice] });
    const { delta, finish_reason } = choices[0] as { delta: { tool_calls?: Piece[] }; finish_reason: unknown };
    finish = finish_reason ?? finish;
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      const { name, arguments: text = "" } = called as { name?: string; arguments?: string };
      const known = calls.get(index as number) ?? { text: "" };
      calls.set(index as number, {
        ...known,
        ...(id === undefined ? {} : { id: id as string }),
        ...(name === undefined ? {} : { name }),
        text: known.text + text,
      });
    }
  }
  return { calls: [...calls.values()], finish };
}

describe("tool calls of a stream", () => {
  it.each([
    ["each with an index", [[call(0, "a", "f", "{")], [call(0, undefined, undefined, "}")], [call(1, "b", "g", "{}")]]],
    [
      "in turns",
      [
        [call(0, "a", "f", "{"), call(1, "b", "g", "{")],
        [call(0, undefined, undefined, "}"), call(1, undefined, undefined, "}")],
      ],
    ],
    ["all with the index 0", [[call(0, "a", "f", "{}")], [call(0, "b", "g", "{}")]]],
    [
      "all with the index 0, in one chunk and in pieces",
      [[call(0, "a", "f", "{}"), call(0, "b", "g", "{")], [call(0, undefined, undefined, "}")]],
    ],
    ["without an index", [[call(undefined, "a", "f", "{}")], [call(undefined, "b", "g", "{}")]]],
    ["without arguments", [[call(0, "a", "f", "")], [call(1, "b", "g")]]],
    [
      "with their id in each piece",
      [[call(0, "a", "f", "{")], [call(0, "a", undefined, "}")], [call(1, "b", "g", "{}")]],
    ],
    // vLLM before 0.9
    [
      "with another id in each piece",
      [
        [call(0, "a", "f", "{")],
        [call(0, "x", undefined, "}")],
        [call(1, "b", "g", "{")],
        [call(1, "y", undefined, "}")],
      ],
    ],
  ])("are whole that come %s, and are why it ended", (_, pieces) => {
    expect(streamed(pieces)).toEqual({
      calls: [
        { id: "a", name: "f", text: "{}" },
        { id: "b", name: "g", text: "{}" },
      ],
      finish: "tool_calls",
    });
  });

  it("with the same id and an index each are two calls with an id each", () => {
    const pieces = [
      [call(0, "a", "f", "{"), call(1, "a", "g", "{")],
      [call(0, "a", undefined, "}"), call(1, "a", undefined, "}")],
    ];
    const { calls } = streamed(pieces);
    expect(calls).toMatchObject([
      { id: "a", name: "f", text: "{}" },
      { id: expect.stringMatching(/^call_/), name: "g", text: "{}" },
    ]);
  });

  it.each([
    ["tool_use", "tool_calls"],
    ["STOP", "tool_calls"],
    ["surprise", "tool_calls"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content_filter"],
    ["insufficient_system_resource", "error"],
    ["constructor", "tool_calls"],
  ])("end for a reason of the public API where the vendor says %s", (reason, finish) => {
    expect(streamed([[call(0, "a", "f", "{}")]], reason).finish).toBe(finish);
  });

  it("leave other ends as they are", () => {
    expect(streamed([[call(0, "a", "f", "{")]], "length").finish).toBe("length");
    expect(streamed([]).finish).toBe("stop");
  });
});

describe("tool calls of a whole answer", () => {
  const whole = (tool_calls: unknown, finish_reason = "stop") => {
    const given = {
      object: "chat.completion",
      choices: [{ index: 0, message: { content: null, tool_calls }, finish_reason }],
    };
    const reading = publicResult(given);
    for (let step = reading.next(); ; step = reading.next()) if (step.done === true) return step.value.choices[0];
  };

  it("are why it ended, and have arguments", () => {
    expect(whole([call(undefined, "a", "f", "")])).toMatchObject({
      finish_reason: "tool_calls",
      native_finish_reason: "stop",
      message: { tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }] },
    });
    expect(whole([])).toMatchObject({ finish_reason: "stop" });
    expect(whole([call(0, "a", "f"), call(1, "a", "g")])).toMatchObject({
      message: { tool_calls: [{ id: "a" }, { id: expect.stringMatching(/^call_/) }] },
    });
  });
});
