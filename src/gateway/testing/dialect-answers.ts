import type { ProviderKind } from "#contract/providers.ts";
import type { ScriptedAnswer } from "./scripted-vendor.ts";

/** What a model says in one choice. */
export interface Said {
  readonly thought: string;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly { readonly name: string; readonly input: object }[];
  readonly images: readonly string[];
  readonly isWeighed: boolean;
}

/** The same answer of one vendor, whole and as a stream. */
export interface VendorAnswers {
  readonly kind: ProviderKind;
  /** an answer of several choices: one for each; other vendors give the first */
  whole(choices: readonly Said[]): object;
  /** @param cut the pieces in which a text comes */
  stream(choices: readonly Said[], cut: (text: string) => readonly string[]): readonly object[];
}

/** The vendor's own name of the model, in its answers. */
export const answeringModel = "vendor-model-2026-11-01";

const counts = { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130 };
const inAndOut = { input_tokens: 100, output_tokens: 30 };
const first = ([choice]: readonly Said[]) => choice as Said;
const endOf = ({ calls }: Said, called: string, stopped: string) => (calls.length > 0 ? called : stopped);
const token = (text: string) => ({ token: text, logprob: -0.5, bytes: null, top_logprobs: [] });
const dataUrl = (base64: string) => `data:image/png;base64,${base64}`;

/** https://platform.openai.com/docs/api-reference/chat and, for thoughts and images, https://openrouter.ai/docs */
export const chatAnswers: VendorAnswers = {
  kind: "openai-compatible",
  whole: (choices) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    model: answeringModel,
    choices: choices.map((said, index) => ({
      index,
      message: {
        role: "assistant",
        content: said.text === "" ? null : said.text,
        refusal: said.refusal === "" ? null : said.refusal,
        annotations: [],
        ...(said.thought === "" ? {} : { reasoning: said.thought, reasoning_details: [thoughtDetail(said)] }),
        ...(said.images.length === 0 ? {} : { images: said.images.map(chatImage) }),
        ...(said.calls.length === 0 ? {} : { tool_calls: said.calls.map(chatCall) }),
      },
      logprobs: said.isWeighed && said.text !== "" ? { content: [token(said.text)], refusal: null } : null,
      finish_reason: endOf(said, "tool_calls", "stop"),
    })),
    usage: counts,
  }),
  stream: (choices, cut) => [
    ...choices.flatMap((said, index) => {
      const delta = (members: object, more: object = {}) => ({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        model: answeringModel,
        choices: [{ index, delta: members, logprobs: null, finish_reason: null, ...more }],
      });
      return [
        delta({ role: "assistant", content: "", refusal: null }),
        ...cut(said.thought).map((reasoning) =>
          delta({ reasoning, reasoning_details: [{ type: "reasoning.text", text: reasoning, index: 0 }] }),
        ),
        ...(said.thought === ""
          ? []
          : [delta({ reasoning_details: [{ type: "reasoning.text", signature: "c2ln", index: 0 }] })]),
        ...cut(said.text).map((content, at) =>
          delta({ content }, said.isWeighed && at === 0 ? { logprobs: { content: [token(said.text)] } } : {}),
        ),
        ...cut(said.refusal).map((refusal) => delta({ refusal })),
        ...said.images.map((image) => delta({ images: [chatImage(image)] })),
        ...said.calls.flatMap((call, at) => {
          const { function: called, ...named } = chatCall(call, at);
          return [
            delta({ tool_calls: [{ index: at, ...named, function: { name: called.name, arguments: "" } }] }),
            ...cut(called.arguments).map((piece) =>
              delta({ tool_calls: [{ index: at, function: { arguments: piece } }] }),
            ),
          ];
        }),
        delta({}, { finish_reason: endOf(said, "tool_calls", "stop") }),
      ];
    }),
    { choices: [], usage: counts },
  ],
};

const thoughtDetail = ({ thought }: Said) => ({
  type: "reasoning.text",
  text: thought,
  signature: "c2ln",
  index: 0,
});
const chatImage = (base64: string) => ({ type: "image_url", image_url: { url: dataUrl(base64) } });
const chatCall = ({ name, input }: Said["calls"][number], at: number) => ({
  id: `call_${at}`,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
});

/** https://docs.anthropic.com/en/api/messages and /build-with-claude/streaming */
export const messagesAnswers: VendorAnswers = {
  kind: "anthropic",
  whole: (choices) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: answeringModel,
    content: blocksOf(first(choices)),
    stop_reason: endOf(first(choices), "tool_use", "end_turn"),
    usage: inAndOut,
  }),
  stream: (choices, cut) => [
    {
      type: "message_start",
      message: { id: "msg_1", type: "message", model: answeringModel, content: [], usage: inAndOut },
    },
    ...blocksOf(first(choices)).flatMap((block, index) => [
      { type: "content_block_start", index, content_block: startedBlock(block) },
      ...blockDeltas(block, cut).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: endOf(first(choices), "tool_use", "end_turn") },
      usage: { output_tokens: 30 },
    },
    { type: "message_stop" },
  ],
};

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly signature?: string;
  readonly data?: string;
  readonly thinking?: string;
  readonly text?: string;
  readonly input?: object;
}

const blocksOf = ({ thought, text, calls }: Said): Block[] => [
  ...(thought === "" ? [] : [{ type: "thinking", thinking: thought, signature: "c2ln" }]),
  ...(thought === "" ? [] : [{ type: "redacted_thinking", data: "cmVk" }]),
  ...(text === "" ? [] : [{ type: "text", text }]),
  ...calls.map(({ name, input }, at) => ({ type: "tool_use", id: `toolu_${at}`, name, input })),
];

const startedBlock = (block: Block) => ({
  ...block,
  ...(block.thinking === undefined ? {} : { thinking: "", signature: "" }),
  ...(block.text === undefined ? {} : { text: "" }),
  ...(block.input === undefined ? {} : { input: {} }),
});

function blockDeltas({ thinking, text, input }: Block, cut: (text: string) => readonly string[]): object[] {
  if (thinking !== undefined) {
    const pieces = cut(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece }));
    return [...pieces, { type: "signature_delta", signature: "c2ln" }];
  }
  if (text !== undefined) return cut(text).map((piece) => ({ type: "text_delta", text: piece }));
  if (input === undefined || Object.keys(input).length === 0) return [];
  return cut(JSON.stringify(input)).map((piece) => ({ type: "input_json_delta", partial_json: piece }));
}

/** https://ai.google.dev/api/generate-content */
export const geminiAnswers: VendorAnswers = {
  kind: "gemini",
  whole: (choices) => ({
    responseId: "r1",
    modelVersion: answeringModel,
    candidates: choices.map((said, index) => ({
      index,
      content: { role: "model", parts: partsOf(said, (text) => [text]) },
      finishReason: "STOP",
    })),
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 30 },
  }),
  stream: (choices, cut) => [
    ...choices.flatMap((said, index) =>
      [...partsOf(said, cut), null].map((part) => ({
        responseId: "r1",
        modelVersion: answeringModel,
        candidates: [
          {
            index,
            ...(part === null ? { finishReason: "STOP" } : { content: { role: "model", parts: [part] } }),
          },
        ],
      })),
    ),
    { responseId: "r1", candidates: [], usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 30 } },
  ],
};

const partsOf = ({ thought, text, calls, images }: Said, cut: (text: string) => readonly string[]): object[] => [
  ...(thought === "" ? [] : cut(thought).map((piece) => ({ text: piece, thought: true }))),
  ...(text === "" ? [] : cut(text).map((piece) => ({ text: piece }))),
  ...images.map((data) => ({ inlineData: { mimeType: "image/png", data } })),
  ...calls.map(({ name, input }) => ({ functionCall: { name, args: input }, thoughtSignature: "c2ln" })),
];

/** https://docs.cohere.com/reference/chat and /docs/streaming */
export const cohereAnswers: VendorAnswers = {
  kind: "cohere",
  whole: (choices) => {
    const { thought, text, calls } = first(choices);
    return {
      id: "c1",
      finish_reason: endOf(first(choices), "TOOL_CALL", "COMPLETE"),
      message: {
        role: "assistant",
        content: [
          ...(thought === "" ? [] : [{ type: "thinking", thinking: thought }]),
          ...(text === "" ? [] : [{ type: "text", text }]),
        ],
        ...(calls.length === 0 ? {} : { tool_plan: "A plan.", tool_calls: calls.map(chatCall) }),
      },
      usage: { billed_units: inAndOut },
    };
  },
  stream: (choices, cut) => {
    const { thought, text, calls } = first(choices);
    const content = (index: number, members: object) => ({
      type: "content-delta",
      index,
      delta: { message: { content: members } },
    });
    return [
      { type: "message-start", id: "c1", delta: { message: { role: "assistant", content: [] } } },
      ...cut(thought).map((thinking) => content(0, { thinking })),
      ...cut(text).map((piece) => content(1, { text: piece })),
      ...(calls.length === 0 ? [] : [{ type: "tool-plan-delta", delta: { message: { tool_plan: "A plan." } } }]),
      ...calls.flatMap((call, index) => {
        const { function: called, ...named } = chatCall(call, index);
        const tool = (type: string, members: object) => ({ type, index, delta: { message: { tool_calls: members } } });
        const pieces = Object.keys(call.input).length === 0 ? [] : cut(called.arguments);
        return [
          tool("tool-call-start", { ...named, function: { name: called.name, arguments: "" } }),
          ...pieces.map((piece) => tool("tool-call-delta", { function: { arguments: piece } })),
          { type: "tool-call-end", index },
        ];
      }),
      {
        type: "message-end",
        delta: {
          finish_reason: endOf(first(choices), "TOOL_CALL", "COMPLETE"),
          usage: { billed_units: inAndOut },
        },
      },
    ];
  },
};

/** https://platform.openai.com/docs/api-reference/responses/object and /responses-streaming */
export const responsesAnswers: VendorAnswers = {
  kind: "openai-compatible",
  whole: (choices) => ({
    id: "resp_1",
    object: "response",
    model: answeringModel,
    status: "completed",
    output: itemsOf(first(choices)),
    usage: inAndOut,
  }),
  stream: (choices, cut) => {
    const items = itemsOf(first(choices));
    const response = { id: "resp_1", object: "response", model: answeringModel, status: "in_progress", output: [] };
    return [
      { type: "response.created", response },
      ...items.flatMap((item, output_index) => [
        { type: "response.output_item.added", output_index, item: { ...item, ...emptied(item) } },
        ...itemDeltas(item, cut).map((event) => ({ output_index, content_index: 0, ...event })),
        { type: "response.output_item.done", output_index, item },
      ]),
      { type: "response.completed", response: { ...response, status: "completed", output: items, usage: inAndOut } },
    ];
  },
};

interface Item {
  readonly type: string;
  readonly id?: string;
  readonly role?: string;
  readonly content?: readonly {
    readonly type: string;
    readonly text?: string;
    readonly refusal?: string;
    readonly annotations?: object[];
    readonly logprobs?: object[];
  }[];
  readonly summary?: readonly { readonly type: string; readonly text: string }[];
  readonly arguments?: string;
}

const itemsOf = ({ thought, text, refusal, calls, images, isWeighed }: Said): Item[] => [
  ...(thought === "" ? [] : [{ type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: thought }] }]),
  ...(text + refusal === ""
    ? []
    : [
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          content: [
            ...(text === ""
              ? []
              : [{ type: "output_text", text, annotations: [], logprobs: isWeighed ? [token(text)] : [] }]),
            ...(refusal === "" ? [] : [{ type: "refusal", refusal }]),
          ],
        },
      ]),
  ...images.map((result, at) => ({ type: "image_generation_call", id: `ig_${at}`, status: "completed", result })),
  ...calls.map(({ name, input }, at) => ({
    type: "function_call",
    id: `fc_${at}`,
    call_id: `call_${at}`,
    name,
    arguments: JSON.stringify(input),
  })),
];

const emptied = ({ type }: Item) =>
  ({
    message: { content: [] },
    reasoning: { summary: [] },
    function_call: { arguments: "" },
    image_generation_call: { result: null },
  })[type];

function itemDeltas({ content = [], summary = [], ...item }: Item, cut: (text: string) => readonly string[]): object[] {
  const deltas = (type: string, text = "") => cut(text).map((delta) => ({ type: `response.${type}.delta`, delta }));
  return [
    ...summary.flatMap(({ text }) => deltas("reasoning_summary_text", text)),
    ...content.flatMap(({ text, refusal, logprobs = [] }) => [
      ...deltas("output_text", text).map((event, at) => ({ ...event, logprobs: at === 0 ? logprobs : [] })),
      ...deltas("refusal", refusal),
    ]),
    ...deltas("function_call_arguments", item.arguments),
  ];
}

/** As a vendor answers. */
export const answeringJson = (answer: object): ScriptedAnswer => ({
  headers: { "content-type": "application/json" },
  pieces: [JSON.stringify(answer)],
});

export const answeringEvents = (events: readonly object[]): ScriptedAnswer => ({
  headers: { "content-type": "text/event-stream" },
  pieces: [
    ...events.map((event) => {
      const name = "type" in event ? `event: ${String(event.type)}\n` : "";
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    }),
    "data: [DONE]\n\n",
  ],
});
