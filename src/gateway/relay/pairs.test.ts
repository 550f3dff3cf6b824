import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../providers/answer.ts";
import { type Call, type Conversation, conversations, requests, type Turn } from "../testing/conversations.ts";
import { outcomeOf } from "../testing/members.ts";
import { isLong } from "../testing/rounds.ts";
import { adapterOf, type Caller, callers, isPassed, type Provider, providers, sentTo } from "../testing/sent-to.ts";
import { runAtOnce, takeTurns } from "../turns.ts";
import type { ChatRun } from "./chat/run.ts";
import { contentOf } from "./messages/answer.ts";
import { outputOf } from "./responses/answer.ts";

/** The rows of the table for what a conversation is made of. */
const rows: Readonly<Record<Caller, Readonly<Record<string, string>>>> = {
  chat: {
    system: "messages: system and developer, several",
    text: "content: text",
    image: "content: image_url inline",
    document: "content: file with its content",
    unknown: "content: an unknown kind",
    thought: "assistant: reasoning",
    anthropic: "assistant: reasoning_details signed by Anthropic",
    encrypted: "assistant: reasoning_details encrypted by OpenAI",
    refusal: "assistant: refusal",
    call: "assistant: tool_calls",
    custom: "assistant: a call of a custom tool",
    shown: "tool: an image in a result",
  },
  messages: {
    system: "messages: a system message",
    text: "content: text",
    image: "content: image inline",
    document: "content: PDF document",
    unknown: "content: an unknown kind",
    thought: "assistant: an unsigned thought",
    anthropic: "assistant: a signed thought",
    encrypted: "assistant: a redacted thought",
    refusal: "content: text",
    call: "assistant: tool_use and tool_result",
    shown: "tool_result: an image",
  },
  responses: {
    system: "input: messages of the system and the developer",
    text: "input_text",
    image: "input_image inline",
    document: "input_file with its content",
    unknown: "an unknown part",
    thought: "reasoning: a text",
    anthropic: "reasoning: a signed text",
    encrypted: "reasoning: encrypted_content",
    refusal: "message: refusal",
    call: "function_call and its output",
    shown: "function_call_output: an image",
  },
};

interface Piece {
  readonly row: string;
  readonly mark: string;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** All that a conversation says and shows, with the mark by which it is found. */
function piecesOf(conversation: Conversation): Piece[] {
  return conversation.flatMap((turn): Piece[] => {
    const said = turn.says.flatMap((each) => pieceOf(each, turn.by === "system" ? "system" : each.kind));
    if (turn.by !== "model") return said;
    const { thought, refusal, calls } = turn;
    return [
      ...(refusal === null ? said : [{ row: "refusal", mark: refusal }]),
      ...(thought === null
        ? []
        : [
            {
              row: thought.signature ?? "thought",
              mark: thought.signature === "encrypted" ? base64(thought.mark) : thought.mark,
            },
          ]),
      ...calls.flatMap(({ mark, result, isCustom }) => [
        ...(mark === null && !isCustom ? [] : [{ row: isCustom ? "custom" : "call", mark: mark ?? "{}" }]),
        ...result.flatMap((each) => pieceOf(each, each.kind === "image" ? "shown" : "call")),
      ]),
    ];
  });
}

function pieceOf(said: Turn["says"][number], row: string): Piece[] {
  if (said.kind === "empty") return [];
  return [{ row, mark: said.kind === "image" || said.kind === "document" ? base64(said.mark) : said.mark }];
}

function outcome(caller: Caller, provider: Provider, piece: Piece): string {
  // The other dialects have functions alone.
  const row = piece.row === "custom" && caller !== "chat" ? "call" : piece.row;
  // Mistral refuses members that it does not document: thoughts are among them.
  if (provider === "mistral" && /^(?:thought|anthropic|encrypted)$/.test(row)) return "left out";
  return String(outcomeOf(caller, rows[caller][row] ?? row, provider === "mistral" ? "chat" : provider));
}

// oxlint-disable-next-line typescript/no-explicit-any -- bodies of five dialects, whose shapes are what is tested
type Json = any;

/** The calls in a body, and the results in it, in their order; Google's older models know neither by ids. */
function callsIn(provider: Provider, body: Json) {
  const calls: { id: unknown; name: string; input: unknown }[] = [];
  const results: { id: unknown; name?: string; text: string }[] = [];
  for (const { parts } of body.contents ?? []) {
    for (const { functionCall: called, functionResponse: answered } of parts) {
      if (called) calls.push({ id: called.id, name: called.name, input: called.args });
      if (answered) results.push({ id: answered.id, name: answered.name, text: JSON.stringify(answered.response) });
    }
  }
  for (const { role, content, tool_calls, tool_call_id } of body.messages ?? []) {
    for (const { id, function: called, custom } of tool_calls ?? [])
      calls.push({ id, name: (called ?? custom).name, input: JSON.parse(called?.arguments ?? custom.input) });
    if (role === "tool") results.push({ id: tool_call_id, text: JSON.stringify(content) });
    for (const block of provider === "anthropic" ? content : []) {
      if (block.type === "tool_use") calls.push({ id: block.id, name: block.name, input: block.input });
      if (block.type === "tool_result") results.push({ id: block.tool_use_id, text: JSON.stringify(block.content) });
    }
  }
  return { calls, results };
}

/** Forms of ids that a vendor refuses others than. */
const idForms: Partial<Record<Provider, RegExp>> = {
  mistral: /^[A-Za-z0-9]{9}$/,
  openai: /^[^]{1,40}$/,
  anthropic: /^[a-zA-Z0-9_-]+$/,
};

function expectCallsKept(provider: Provider, body: Json, turns: Conversation, isText: (call: Call) => boolean): void {
  const { calls, results } = callsIn(provider, body);
  const spoken = turns.flatMap((turn) => (turn.by === "model" ? [turn] : []));
  const made = spoken.flatMap((turn) => turn.calls);
  const inputs = made.map((call) => {
    const input = call.mark === null ? {} : { zone: call.mark, deep: [{ a: 1 }] };
    return isText(call) ? { input: JSON.stringify(input) } : input;
  });
  expect(calls.map(({ name, input }) => [name, input])).toEqual(made.map(({ name }, at) => [name, inputs[at]]));
  const idOf = new Map(made.map((call, at) => [call, calls[at]?.id]));
  const answered = spoken.flatMap((turn) => (turn.isReversed ? turn.calls.toReversed() : turn.calls));
  expect(results.map(({ id }) => id)).toEqual(answered.map((call) => idOf.get(call)));
  answered.forEach(({ name, result }, at) => {
    if (results[at]?.name !== undefined) expect(results[at]?.name).toBe(name);
    for (const said of result) if (said.kind === "text") expect(results[at]?.text).toContain(said.mark);
  });
  for (const { id } of calls) if (idForms[provider]) expect(id).toMatch(idForms[provider]);
  if (provider === "anthropic") expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
}

/** What the vendors refuse, whatever is said. */
const rules: Partial<Record<Provider, (body: Json, turns: Conversation) => void>> = {
  anthropic({ messages }) {
    messages.forEach(({ role, content }: Json, at: number) => {
      expect(role).not.toBe(messages[at - 1]?.role);
      expect(content.length).toBeGreaterThan(0);
      for (const { type, text } of content) if (type === "text") expect(text.trim()).not.toBe("");
    });
  },
  gemini({ contents }, turns) {
    contents.forEach(({ role, parts }: Json, at: number) => {
      expect(role).not.toBe(contents[at - 1]?.role);
      expect(parts.length).toBeGreaterThan(0);
      for (const { text } of parts) expect(text).not.toBe("");
    });
    const parts: Json[] = contents.flatMap((each: Json) => each.parts);
    const signatures = parts.flatMap(({ functionCall, thoughtSignature }) => (functionCall ? [thoughtSignature] : []));
    const expected = turns.flatMap((turn) => {
      const own = turn.by === "model" ? turn.calls.map(({ signature }) => signature ?? undefined) : [];
      return own.every((each) => each === undefined) && own.length > 0
        ? ["skip_thought_signature_validator", ...own.slice(1)]
        : own;
    });
    expect(signatures).toEqual(expected);
  },
};

const times = isLong ? 10_000 : 500;
const timeout = isLong ? 900_000 : 120_000;

describe("a conversation", () => {
  it(
    "reaches every provider from every caller's dialect, but for what the table leaves out or refuses",
    async () => {
      await fc.assert(
        fc.asyncProperty(conversations, async (conversation) => {
          const pieces = piecesOf(conversation);
          for (const caller of callers) {
            const request = requests[caller](conversation);
            for (const provider of providers) {
              if (isPassed(caller, provider)) continue;
              const sent = await sentTo(provider, caller, request);
              const refused = pieces.filter((piece) => outcome(caller, provider, piece).startsWith("refused"));
              const pair = `${caller} to ${provider}`;
              expect(typeof sent === "string", `${pair}: ${String(sent)}`).toBe(refused.length > 0);
              if (typeof sent === "string") continue;
              const text = JSON.stringify(sent);
              const lost = pieces.filter(
                (piece) => !text.includes(piece.mark) && !outcome(caller, provider, piece).startsWith("left out"),
              );
              expect(lost, pair).toEqual([]);
              // A call of OpenAI's custom tools becomes one of a function, with its text as `input`.
              const hasFunctions = provider === "anthropic" || provider === "gemini" || provider === "cohere";
              expectCallsKept(
                provider,
                sent,
                conversation,
                (call) => caller === "chat" && call.isCustom && hasFunctions,
              );
              rules[provider]?.(sent, conversation);
            }
          }
        }),
        { numRuns: times },
      );
    },
    timeout,
  );
});

/** A model's answer in each vendor's form, and the same where it is sent back. */
const answers: Readonly<Record<string, (turn: ModelTurn) => { readonly answer: object; readonly back: unknown }>> = {
  anthropic({ thought, text, calls }) {
    const content = [
      ...(thought === null ? [] : [{ type: "thinking", thinking: thought, signature: "c2ln" }]),
      ...(text === null ? [] : [{ type: "text", text }]),
      ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
    ];
    return { answer: { content, stop_reason: "end_turn" }, back: content };
  },
  gemini({ text, calls }) {
    const parts = [
      ...(text === null ? [] : [{ text }]),
      ...calls.map(({ id, name, input }, at) => ({
        functionCall: { id, name, args: input },
        ...(at === 0 ? { thoughtSignature: "Eqo+Cqc=" } : {}),
      })),
    ];
    return { answer: { candidates: [{ content: { parts, role: "model" }, finishReason: "STOP" }] }, back: parts };
  },
  cohere({ thought, text, calls }) {
    const content = [
      ...(thought === null ? [] : [{ type: "thinking", thinking: thought }]),
      ...(text === null ? [] : [{ type: "text", text }]),
    ];
    const tool_calls = chatCalls(calls);
    return {
      answer: { message: { role: "assistant", content, tool_calls }, finish_reason: "COMPLETE" },
      back: { content, tool_calls },
    };
  },
  chat({ thought, text, calls }) {
    const tool_calls = chatCalls(calls);
    const message = { role: "assistant", content: text, reasoning_content: thought ?? undefined, tool_calls };
    return { answer: { choices: [{ index: 0, message, finish_reason: "stop" }] }, back: { text, thought, tool_calls } };
  },
};

interface ModelTurn {
  readonly thought: string | null;
  readonly text: string | null;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: object }[];
}
const chatCalls = (calls: ModelTurn["calls"]) =>
  calls.map(({ id, name, input }) => ({ id, type: "function", function: { name, arguments: JSON.stringify(input) } }));

/** What the vendor gets of its own answer, in the form of `back`. */
const backIn: Readonly<Record<string, (body: Json) => unknown>> = {
  anthropic: ({ messages }) => messages[1].content,
  gemini: ({ contents }) => contents[1].parts,
  cohere({ messages }) {
    const { content = [], tool_calls = [] } = messages[1];
    return { content: typeof content === "string" ? [{ type: "text", text: content }] : content, tool_calls };
  },
  chat({ messages }) {
    const { content, reasoning_content: thought = null, tool_calls = [] } = messages[1];
    return { text: content, thought, tool_calls: tool_calls.map(({ extra_content: _, ...call }: Json) => call) };
  },
};

/** The answer as each caller gets it, and sends it back. */
const echoes: Readonly<Record<Caller, (result: Json) => Promise<JsonObject>>> = {
  chat: async ({ choices }) => ({ messages: [hello, choices[0].message, goOn] }),
  messages: async (result) => {
    const content = await contentOf(result, takeTurns("key", { patient: true }));
    return { messages: [hello, { role: "assistant", content }, goOn] };
  },
  responses: async (result) => {
    const run = { context: { id: "gen-1" }, request: { passed: null } } as unknown as ChatRun;
    return { input: [hello, ...outputOf(run, result).output, goOn] };
  },
};
const hello = { role: "user", content: "Hello" };
const goOn = { role: "user", content: "Go on" };

const word = fc
  .string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'abc XYZé\n"\\') })
  .filter((each) => each.trim() !== "");
const modelTurns: fc.Arbitrary<ModelTurn> = fc
  .record({
    thought: fc.option(word),
    text: fc.option(word),
    calls: fc.uniqueArray(
      fc.record({
        id: fc.stringMatching(/^(?:call|toolu)_[a-zA-Z0-9]{10,20}$/),
        name: fc.constantFrom("now", "get_weather"),
        input: fc.oneof(
          fc.constant({}),
          fc.dictionary(fc.constantFrom("a", "b"), fc.oneof(word, fc.integer(), fc.constant(null))),
        ),
      }),
      { maxLength: 3, selector: ({ id }) => id },
    ),
  })
  // A thought alone is no answer.
  .filter(({ text, calls }) => text !== null || calls.length > 0);

describe("an answer", () => {
  it.each(Object.keys(answers))(
    "of %s comes back to it unchanged through every caller's dialect",
    async (name) => {
      const provider = name as Provider;
      const { adapter } = adapterOf(provider);
      await fc.assert(
        fc.asyncProperty(modelTurns, async (turn) => {
          const { answer, back } = answers[name]?.(turn) ?? expect.fail();
          const { result } = runAtOnce(adapter.chat?.readAnswer(JSON.stringify(answer)) ?? expect.fail());
          for (const caller of callers) {
            const sent = await sentTo(provider, caller, await echoes[caller](result));
            expect(backIn[name]?.(sent), caller).toEqual(back);
          }
        }),
        { numRuns: times / 5 },
      );
    },
    timeout,
  );
});

it("a thought that was streamed in pieces goes back to Anthropic as one, with its signature", async () => {
  const piece = (members: object) => ({ type: "reasoning.text", ...members, format: "anthropic-claude-v1", index: 0 });
  const details = [piece({ text: "One " }), piece({ text: "thought" }), piece({ signature: "c2ln" })];
  const said = { role: "assistant", content: "Hi", reasoning_details: details };
  expect(await sentTo("anthropic", "chat", { messages: [hello, said, goOn] })).toMatchObject({
    messages: [{}, { content: [{ type: "thinking", thinking: "One thought", signature: "c2ln" }, { text: "Hi" }] }, {}],
  });
});
