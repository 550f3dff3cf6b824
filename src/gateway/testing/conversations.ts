import fc from "fast-check";
import { signedCallId } from "../relay/signed-call-id.ts";

/** What a person or a tool says or shows. Each has a mark of its own, by which it is found again. */
type Said =
  | { readonly kind: "text" | "document" | "image" | "unknown"; readonly mark: string }
  | { readonly kind: "empty" };

export interface Call {
  /** as the vendors write them: some use the same in each turn */
  readonly id: string;
  readonly name: string;
  /** null: the call has no arguments */
  readonly mark: string | null;
  /** Google's */
  readonly signature: string | null;
  readonly result: readonly Said[];
  /** of chat: OpenAI's custom tools take a text */
  readonly isCustom: boolean;
}

export type Turn =
  | { readonly by: "system" | "user"; readonly says: readonly Said[] }
  | {
      readonly by: "model";
      readonly thought: { readonly mark: string; readonly signature: "anthropic" | "encrypted" | null } | null;
      readonly says: readonly Said[];
      readonly refusal: string | null;
      readonly calls: readonly Call[];
      /** the results come in the order of the calls, or the other way round */
      readonly isReversed: boolean;
    };

export type Conversation = readonly Turn[];

const mark = fc.integer({ min: 0, max: 1e9 }).map((number) => `Mk${number.toString(36)}x`);
const marked = (kind: Exclude<Said["kind"], "empty">) => mark.map((each): Said => ({ kind, mark: each }));
const text = marked("text");
const empty = fc.constant<Said>({ kind: "empty" });

const says = (...more: readonly fc.WeightedArbitrary<Said>[]) =>
  fc.array(fc.oneof({ weight: 60, arbitrary: text }, { weight: 10, arbitrary: empty }, ...more), { maxLength: 3 });

/** Forms of ids: OpenAI's, Anthropic's, Mistral's, Moonshot's, Bedrock's, Google's, and a long one. */
const callId = fc.oneof(
  fc.string({ minLength: 24, maxLength: 24, unit: fc.constantFrom(..."abcXYZ019") }).map((id) => `call_${id}`),
  fc.string({ minLength: 24, maxLength: 24, unit: fc.constantFrom(..."abcXYZ019") }).map((id) => `toolu_01${id}`),
  fc.string({ minLength: 9, maxLength: 9, unit: fc.constantFrom(..."abcXYZ019") }),
  fc.constantFrom("functions.now:0", "functions.now:1", "call_0", "call_1", "0"),
  fc.uuid().map((id) => `chatcmpl-tool-${id}-and-some-more`),
);

const call = fc.record({
  id: callId,
  name: fc.constantFrom("now", "get_weather", "search"),
  mark: fc.option(mark, { freq: 4 }),
  signature: fc.option(fc.constantFrom("c2lnbmVk", "Eqo+Cqc=", "ab/+"), { freq: 2 }),
  result: says({ weight: 20, arbitrary: marked("image") }),
  isCustom: fc.integer({ min: 0, max: 30 }).map((number) => number === 30),
});

const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ by: fc.constant("system" as const), says: says() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      by: fc.constant("user" as const),
      says: says(
        { weight: 20, arbitrary: marked("image") },
        { weight: 10, arbitrary: marked("document") },
        { weight: 1, arbitrary: marked("unknown") },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      by: fc.constant("model" as const),
      thought: fc.option(
        fc.record({ mark, signature: fc.constantFrom("anthropic" as const, "encrypted" as const, null) }),
      ),
      says: says(),
      refusal: fc.option(mark, { freq: 8 }),
      // Of one turn, each has an id of its own.
      calls: fc.uniqueArray(call, { maxLength: 3, selector: ({ id }) => id }),
      isReversed: fc.boolean(),
    }),
  },
);

/** Conversations as agents have them. They may begin with anything, and end with what the model began to say. */
export const conversations: fc.Arbitrary<Conversation> = fc.array(turn, { minLength: 1, maxLength: 6 });

const base64 = (text: string) => Buffer.from(text).toString("base64");
const dataUrl = (type: string, said: string) => `data:${type};base64,${base64(said)}`;
const argumentsOf = ({ mark: said }: Call) => (said === null ? "{}" : JSON.stringify({ zone: said, deep: [{ a: 1 }] }));

type Json = Record<string, unknown>;

const resultsIn = ({ calls, isReversed }: { calls: readonly Call[]; isReversed: boolean }) =>
  isReversed ? calls.toReversed() : calls;

/** One text is written as such. */
function contentOf(says: readonly Said[]): unknown {
  const [first, second] = says;
  if (first === undefined || (first.kind === "empty" && second === undefined)) return "";
  return first.kind === "text" && second === undefined ? first.mark : says.map(chatPart);
}

/** A request for the conversation in each of the callers' dialects. */
export const requests: Readonly<Record<"chat" | "messages" | "responses", (conversation: Conversation) => Json>> = {
  chat: (conversation) => ({ model: "acme/talk", messages: conversation.flatMap(chatMessages) }),

  messages: (conversation) => ({
    model: "acme/talk",
    max_tokens: 8_192,
    messages: conversation.flatMap(anthropicMessages),
  }),

  responses: (conversation) => ({ model: "acme/talk", input: conversation.flatMap(responsesItems) }),
};

function chatPart(said: Said): Json {
  if (said.kind === "empty") return { type: "text", text: "" };
  if (said.kind === "text") return { type: "text", text: said.mark };
  if (said.kind === "image") return { type: "image_url", image_url: { url: dataUrl("image/png", said.mark) } };
  if (said.kind === "unknown") return { type: "hologram", hologram: said.mark };
  return { type: "file", file: { filename: "a.pdf", file_data: dataUrl("application/pdf", said.mark) } };
}

function chatMessages(turn: Turn): Json[] {
  if (turn.by !== "model") return [{ role: turn.by, content: contentOf(turn.says) }];
  const { thought, refusal, calls } = turn;
  const detail = {
    anthropic: { type: "reasoning.text", text: thought?.mark, signature: "c2ln", format: "anthropic-claude-v1" },
    encrypted: { type: "reasoning.encrypted", data: base64(thought?.mark ?? ""), format: "openai-responses-v1" },
  };
  return [
    {
      role: "assistant",
      content: refusal === null ? turn.says.map(chatPart) : null,
      ...(refusal === null ? {} : { refusal }),
      ...(thought?.signature === null ? { reasoning: thought.mark } : {}),
      ...(thought?.signature ? { reasoning_details: [detail[thought.signature]] } : {}),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map((each) => ({
              id: each.id,
              ...(each.isCustom
                ? { type: "custom", custom: { name: each.name, input: argumentsOf(each) } }
                : { type: "function", function: { name: each.name, arguments: argumentsOf(each) } }),
              ...(each.signature === null ? {} : { extra_content: { google: { thought_signature: each.signature } } }),
            })),
          }),
    },
    ...resultsIn(turn).map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: contentOf(result) })),
  ];
}

/** The id of a call in a form that has no other place for its signature. */
const idOf = ({ id, signature }: Call) =>
  signature === null ? id : signedCallId({ id, extra_content: { google: { thought_signature: signature } } });

function anthropicBlock(said: Said): Json {
  if (said.kind === "empty") return { type: "text", text: "" };
  if (said.kind === "text") return { type: "text", text: said.mark };
  if (said.kind === "unknown") return { type: "hologram", hologram: said.mark };
  const media_type = said.kind === "image" ? "image/png" : "application/pdf";
  return { type: said.kind, source: { type: "base64", media_type, data: base64(said.mark) } };
}

function anthropicMessages(turn: Turn): Json[] {
  if (turn.by !== "model") return [{ role: turn.by, content: turn.says.map(anthropicBlock) }];
  const { thought, refusal, calls } = turn;
  const block = {
    anthropic: { type: "thinking", thinking: thought?.mark, signature: "c2ln" },
    encrypted: { type: "redacted_thinking", data: base64(thought?.mark ?? "") },
  };
  const thoughts =
    thought === null
      ? []
      : [
          thought.signature === null
            ? { type: "thinking", thinking: thought.mark, signature: "" }
            : block[thought.signature],
        ];
  const said = refusal === null ? turn.says.map(anthropicBlock) : [{ type: "text", text: refusal }];
  const uses = calls.map((each) => ({
    type: "tool_use",
    id: idOf(each),
    name: each.name,
    input: JSON.parse(argumentsOf(each)),
  }));
  const results = resultsIn(turn).map((each) => ({
    type: "tool_result",
    tool_use_id: idOf(each),
    content: each.result.map(anthropicBlock),
  }));
  return [
    { role: "assistant", content: [...thoughts, ...said, ...uses] },
    ...(results.length === 0 ? [] : [{ role: "user", content: results }]),
  ];
}

function responsesPart(said: Said): Json {
  if (said.kind === "empty") return { type: "input_text", text: "" };
  if (said.kind === "text") return { type: "input_text", text: said.mark };
  if (said.kind === "image") return { type: "input_image", image_url: dataUrl("image/png", said.mark) };
  if (said.kind === "unknown") return { type: "hologram", hologram: said.mark };
  return { type: "input_file", filename: "a.pdf", file_data: dataUrl("application/pdf", said.mark) };
}

function responsesItems(turn: Turn): Json[] {
  if (turn.by !== "model") return [{ type: "message", role: turn.by, content: turn.says.map(responsesPart) }];
  const { thought, refusal, calls } = turn;
  const content = [{ type: "reasoning_text", text: thought?.mark }];
  const item = {
    anthropic: { type: "reasoning", summary: [], content, signature: "c2ln", format: "anthropic-claude-v1" },
    encrypted: { type: "reasoning", summary: [], encrypted_content: base64(thought?.mark ?? "") },
  };
  const thoughts =
    thought === null
      ? []
      : [thought.signature === null ? { type: "reasoning", summary: [], content } : item[thought.signature]];
  const texts = turn.says.flatMap((said) => (said.kind === "text" ? [{ type: "output_text", text: said.mark }] : []));
  const said = refusal === null ? texts : [{ type: "refusal", refusal }];
  return [
    ...thoughts,
    ...(said.length === 0 ? [] : [{ type: "message", role: "assistant", content: said }]),
    ...calls.map((each) => ({
      type: "function_call",
      call_id: idOf(each),
      name: each.name,
      arguments: argumentsOf(each),
    })),
    ...resultsIn(turn).map((each) => ({
      type: "function_call_output",
      call_id: idOf(each),
      output: each.result.map(responsesPart),
    })),
  ];
}
