import type { Answer } from "./gateway.ts";
import type { ReceivedRequest, ScriptedAnswer } from "./scripted-vendor.ts";

/**
 * A vendor whose model thinks and calls tools for two turns and answers in the third, in four dialects, whole and
 * streamed. It refuses what the real ones refuse: a call without its result, a result without its call, and thoughts that
 * a tool loop must send back and that are missing or changed.
 */
export const weatherTurns: readonly Turn[] = [
  { thought: "Paris first.", calls: [{ name: "get_weather", args: { city: "Paris" } }] },
  {
    thought: "Now Rome and the hour.",
    calls: [
      { name: "get_weather", args: { city: "Rome" } },
      { name: "get_time", args: {} },
    ],
  },
  { thought: "That is all.", calls: [], text: "Paris 20, Rome 25, at noon." },
];

/** What the model thinks, which tools it calls, and what it says in the end. */
export interface Turn {
  readonly thought: string;
  readonly calls: readonly { readonly name: string; readonly args: object }[];
  readonly text?: string;
}

/** What was wrong with a request, and how many earlier thoughts it sent back as they were answered. */
interface Reading {
  readonly turn: number;
  readonly problem: string | null;
  readonly thoughts: number;
}

/** What travels is read as it comes. */
type Json = Answer["json"];

/** One of the turns, and all of them. */
interface Script {
  readonly turns: readonly Turn[];
  readonly turn: number;
}

interface Dialect {
  read(body: Json, turns: readonly Turn[]): Reading;
  answer(script: Script, body: Json): object;
  /** the frames of the same answer as a stream */
  frames(script: Script, body: Json): readonly string[];
  refusal(message: string): object;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const signature = (turn: number) => base64(`signature of turn ${turn + 1}, which no other vendor can make`);
const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: { type: string }) => `event: ${value.type}\n${data(value)}`;
const halves = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];
const turnAt = (turns: readonly Turn[], index: number): Turn => turns[Math.min(index, turns.length - 1)] as Turn;

/** The ids of calls that lack a result, or of results that lack a call. */
function unpaired(calls: readonly string[], results: readonly string[]): string | null {
  const missing = calls.find((id) => !results.includes(id));
  if (missing !== undefined) return `No tool output found for function call ${missing}.`;
  const stray = results.find((id) => !calls.includes(id));
  return stray === undefined ? null : `No tool call found for function call output with call_id ${stray}.`;
}

/** https://platform.openai.com/docs/api-reference/responses and /docs/guides/reasoning (keeping items in context) */
const responses: Dialect = {
  read({ input, store = true }, turns) {
    const items: Json[] = typeof input === "string" ? [] : input;
    const calls: string[] = [];
    const results: string[] = [];
    const thoughts = new Set<number>();
    let problem: string | null = null;
    for (const item of items) {
      const id = item.id ?? "";
      const at = Number(/_(\d)/.exec(id)?.[1] ?? -1);
      if (item.type === "item_reference" || (item.type === "reasoning" && item.encrypted_content == null)) {
        if (!store) problem ??= `Item with id '${id}' not found. Items are not persisted when \`store\` is false.`;
        if (id.startsWith("rs_")) thoughts.add(at);
        if (id.startsWith("fc_")) calls.push(id.replace("fc", "call"));
      } else if (item.type === "reasoning") {
        if (item.encrypted_content !== signature(at)) problem ??= "The encrypted content could not be verified.";
        thoughts.add(at);
      }
      if (item.type === "function_call") calls.push(item.call_id);
      if (item.type === "function_call" && id.startsWith("fc_") && !thoughts.has(at))
        problem ??= `Item '${id}' of type 'function_call' was provided without its required 'reasoning' item.`;
      if (item.type === "function_call_output") results.push(item.call_id);
    }
    return { turn: turnsOf(turns, calls), problem: problem ?? unpaired(calls, results), thoughts: thoughts.size };
  },
  answer: ({ turns, turn }, body) => ({
    id: `resp_${turn}`,
    object: "response",
    created_at: 1_790_000_000,
    status: "completed",
    model: body.model,
    error: null,
    incomplete_details: null,
    output: outputOf(turnAt(turns, turn), turn, body),
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 30,
      output_tokens_details: { reasoning_tokens: 10 },
      total_tokens: 130,
    },
  }),
  frames(script, body) {
    const whole: Json = responses.answer(script, body);
    const begun = { ...whole, status: "in_progress", output: [], usage: null };
    const events: Json[] = [
      { type: "response.created", response: begun },
      { type: "response.in_progress", response: begun },
    ];
    for (const [output_index, item] of whole.output.entries()) {
      const place = { output_index, item_id: item.id };
      const open = { ...item, ...(item.content && { content: [] }), ...(item.summary && { summary: [] }) };
      if (item.arguments) open.arguments = "";
      events.push({ type: "response.output_item.added", output_index, item: open });
      if (item.type === "reasoning" && item.summary.length > 0) {
        const [part] = item.summary;
        const summary = { ...place, summary_index: 0 };
        events.push({ type: "response.reasoning_summary_part.added", ...summary, part: { ...part, text: "" } });
        for (const delta of halves(part.text))
          events.push({ type: "response.reasoning_summary_text.delta", ...summary, delta });
        events.push({ type: "response.reasoning_summary_text.done", ...summary, text: part.text });
        events.push({ type: "response.reasoning_summary_part.done", ...summary, part });
      }
      if (item.type === "function_call") {
        for (const delta of halves(item.arguments))
          events.push({ type: "response.function_call_arguments.delta", ...place, delta });
        events.push({ type: "response.function_call_arguments.done", ...place, arguments: item.arguments });
      }
      if (item.type === "message") {
        const [part] = item.content;
        const content = { ...place, content_index: 0 };
        events.push({ type: "response.content_part.added", ...content, part: { ...part, text: "" } });
        for (const delta of halves(part.text))
          events.push({ type: "response.output_text.delta", ...content, delta, logprobs: [] });
        events.push({ type: "response.output_text.done", ...content, text: part.text, logprobs: [] });
        events.push({ type: "response.content_part.done", ...content, part });
      }
      events.push({ type: "response.output_item.done", output_index, item });
    }
    events.push({ type: "response.completed", response: whole });
    return events.map((each, sequence_number) => event({ ...each, sequence_number }));
  },
  refusal: (message) => ({ error: { message, type: "invalid_request_error", param: "input", code: null } }),
};

function outputOf({ thought, calls, text }: Turn, turn: number, { include = [], reasoning }: Json): object[] {
  const kept = include.includes("reasoning.encrypted_content") ? { encrypted_content: signature(turn) } : {};
  const summary = reasoning?.summary == null ? [] : [{ type: "summary_text", text: thought }];
  const output: object[] = [{ id: `rs_${turn}`, type: "reasoning", summary, ...kept }];
  for (const [index, { name, args }] of calls.entries())
    output.push({
      id: `fc_${turn}_${index}`,
      type: "function_call",
      status: "completed",
      call_id: `call_${turn}_${index}`,
      name,
      arguments: JSON.stringify(args),
    });
  if (text !== undefined)
    output.push({
      id: `msg_${turn}`,
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
    });
  return output;
}

/** How many turns made these calls. */
function turnsOf(turns: readonly Turn[], calls: readonly string[]): number {
  let turn = 0;
  for (let left = calls.length; left > 0; turn += 1) left -= turnAt(turns, turn).calls.length || left;
  return turn;
}

/** OpenAI's chat does not say what its models think. */
const isSilent = ({ model }: { model: string }) => model.startsWith("gpt-");

/** https://api-docs.deepseek.com/guides/thinking_mode (tool calls): thoughts go back within a tool loop */
const chat: Dialect = {
  read({ messages, ...body }, turns) {
    let thoughts = 0;
    let problem: string | null = null;
    const calls: string[] = [];
    const results: string[] = [];
    for (const message of messages) {
      if (message.role === "tool") results.push(message.tool_call_id);
      if (message.role !== "assistant" || message.tool_calls === undefined) continue;
      if (message.reasoning_content === turnAt(turns, turnsOf(turns, calls)).thought) thoughts += 1;
      else if (!isSilent(body) && typeof message.reasoning_content !== "string")
        problem ??= "Missing `reasoning_content` field in the assistant message.";
      for (const { id, function: called } of message.tool_calls) {
        calls.push(id);
        if (typeof JSON.parse(called.arguments) !== "object") problem ??= "The arguments are no object.";
      }
    }
    return { turn: turnsOf(turns, calls), problem: problem ?? unpaired(calls, results), thoughts };
  },
  answer({ turns, turn }, { model }) {
    const { thought, calls, text } = turnAt(turns, turn);
    const tool_calls = calls.map(({ name, args }, index) => ({
      index,
      id: `call_0${turn}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    }));
    const message = {
      role: "assistant",
      content: text ?? "",
      ...(!isSilent({ model }) && { reasoning_content: thought }),
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    const finish_reason = tool_calls.length > 0 ? "tool_calls" : "stop";
    const usage = { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130 };
    return {
      id: `chat-${turn}`,
      object: "chat.completion",
      created: 1_790_000_000,
      model,
      choices: [{ index: 0, message, finish_reason, logprobs: null }],
      usage,
    };
  },
  frames(script, body) {
    const { choices, usage, ...rest }: Json = chat.answer(script, body);
    const [{ message, finish_reason }] = choices;
    const frame = (delta: object, finish: string | null = null, more: object = {}) =>
      data({
        ...rest,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
        ...more,
      });
    const frames = [frame({ role: "assistant", content: null, reasoning_content: "" })];
    for (const reasoning_content of halves(message.reasoning_content ?? ""))
      frames.push(frame({ content: null, reasoning_content }));
    if (message.content !== "")
      for (const content of halves(message.content)) frames.push(frame({ content, reasoning_content: null }));
    for (const { function: called, ...call } of message.tool_calls ?? []) {
      frames.push(frame({ tool_calls: [{ ...call, function: { name: called.name, arguments: "" } }] }));
      for (const piece of halves(called.arguments))
        frames.push(frame({ tool_calls: [{ index: call.index, function: { arguments: piece } }] }));
    }
    return [...frames, frame({ content: "", reasoning_content: null }, finish_reason, { usage }), "data: [DONE]\n\n"];
  },
  refusal: (message) => ({ error: { message, type: "invalid_request_error", param: null, code: "invalid_request" } }),
};

/** https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking (preserving thinking blocks) */
const messages: Dialect = {
  read({ messages: sent, thinking }, turns) {
    const calls: string[] = [];
    const results: string[] = [];
    let thoughts = 0;
    let problem: string | null = null;
    const asksForThoughts = thinking !== undefined && thinking.type !== "disabled";
    for (const [index, { role, content }] of sent.entries()) {
      if (typeof content === "string") continue;
      if (role === "user")
        for (const { type, tool_use_id } of content) if (type === "tool_result") results.push(tool_use_id);
      if (role !== "assistant") continue;
      const [first] = content;
      const made = content.filter(({ type }: { type: string }) => type === "tool_use");
      const turn = turnsOf(turns, calls);
      if (first?.type === "thinking") {
        if (first.signature === signature(turn) && first.thinking === turnAt(turns, turn).thought) thoughts += 1;
        else problem ??= `messages.${index}.content.0: Invalid \`signature\` in \`thinking\` block`;
      } else if (asksForThoughts && made.length > 0 && index === sent.length - 2)
        problem ??= `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`.`;
      for (const { id } of made) calls.push(id);
      const next = sent[index + 1]?.content ?? [];
      const answered = new Set(typeof next === "string" ? [] : next.map((block: Json) => block.tool_use_id));
      if (made.some(({ id }: { id: string }) => !answered.has(id)))
        problem ??= `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`;
    }
    return { turn: turnsOf(turns, calls), problem: problem ?? unpaired(calls, results), thoughts };
  },
  answer({ turns, turn }, { model, thinking }) {
    const { thought, calls, text } = turnAt(turns, turn);
    const content: object[] = [];
    if (thinking !== undefined && thinking.type !== "disabled")
      content.push({ type: "thinking", thinking: thought, signature: signature(turn) });
    if (text !== undefined) content.push({ type: "text", text });
    for (const [index, { name, args }] of calls.entries())
      content.push({ type: "tool_use", id: `toolu_0${turn}${index}`, name, input: args });
    return {
      id: `msg_0${turn}`,
      type: "message",
      role: "assistant",
      model,
      content,
      stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 30 },
    };
  },
  frames(script, body) {
    const { content, stop_reason, usage, ...rest }: Json = messages.answer(script, body);
    const message = { ...rest, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
    const events: Json[] = [{ type: "message_start", message }];
    const delta = (index: number, piece: object) => events.push({ type: "content_block_delta", index, delta: piece });
    for (const [index, block] of content.entries()) {
      const empty = { thinking: { thinking: "", signature: "" }, text: { text: "" }, tool_use: { input: {} } };
      const content_block = { ...block, ...empty[block.type as keyof typeof empty] };
      events.push({ type: "content_block_start", index, content_block });
      if (block.type === "thinking") {
        for (const thinking of halves(block.thinking)) delta(index, { type: "thinking_delta", thinking });
        delta(index, { type: "signature_delta", signature: block.signature });
      } else if (block.type === "text") {
        for (const text of halves(block.text)) delta(index, { type: "text_delta", text });
      } else if (Object.keys(block.input).length === 0) {
        delta(index, { type: "input_json_delta", partial_json: "" });
      } else {
        for (const partial_json of halves(JSON.stringify(block.input)))
          delta(index, { type: "input_json_delta", partial_json });
      }
      events.push({ type: "content_block_stop", index });
    }
    events.push({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 30 } });
    events.push({ type: "message_stop" });
    return events.map(event);
  },
  refusal: (message) => ({ type: "error", error: { type: "invalid_request_error", message } }),
};

/** What Google accepts for a signature that another model's call lacks: https://ai.google.dev/gemini-api/docs/thought-signatures */
const placeholders = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

/** https://ai.google.dev/gemini-api/docs/thought-signatures (Gemini 3: strictly validated in the current turn) */
const gemini: Dialect = {
  read({ contents }) {
    let thoughts = 0;
    let turn = 0;
    let problem: string | null = null;
    for (const [index, { role, parts }] of contents.entries()) {
      const called = parts.filter((part: Json) => part.functionCall !== undefined);
      if (role !== "model" || called.length === 0) continue;
      const [first] = called;
      if (first.thoughtSignature === signature(turn)) thoughts += 1;
      else if (!placeholders.includes(first.thoughtSignature))
        problem ??= `Function call is missing a thought_signature in functionCall parts: ${first.functionCall.name}.`;
      const next = (contents[index + 1]?.parts ?? []).filter((part: Json) => part.functionResponse !== undefined);
      const names = (list: Json[], member: string) => list.map((part) => part[member].name).join();
      if (names(called, "functionCall") !== names(next, "functionResponse"))
        problem ??= "The number of function response parts is not that of the function call parts of the call turn.";
      if (called.some((part: Json, at: number) => part.functionCall.id !== next[at]?.functionResponse.id))
        problem ??= "The id of a function response is not that of its call.";
      turn += 1;
    }
    return { turn, problem, thoughts };
  },
  answer: (script, body) => geminiAnswer(script.turn, partsOf(script, body), "STOP"),
  frames(script, body) {
    const parts = partsOf(script, body);
    return parts.map((part, index) =>
      data(geminiAnswer(script.turn, [part], index === parts.length - 1 ? "STOP" : undefined)),
    );
  },
  refusal: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
};

function partsOf({ turns, turn }: Script, { generationConfig }: Json): object[] {
  const { thought, calls, text } = turnAt(turns, turn);
  const parts: object[] = generationConfig?.thinkingConfig?.includeThoughts ? [{ text: thought, thought: true }] : [];
  for (const [index, { name, args }] of calls.entries())
    parts.push({
      functionCall: { id: `fn-${turn}-${index}`, name, args },
      ...(index === 0 && { thoughtSignature: signature(turn) }),
    });
  if (text !== undefined) parts.push({ text, thoughtSignature: signature(turn) });
  return parts;
}

const geminiAnswer = (turn: number, parts: object[], finishReason?: string) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) }],
  usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, thoughtsTokenCount: 10, totalTokenCount: 130 },
  modelVersion: "gemini-3-pro",
  responseId: `gemini-${turn}`,
});

const dialects: readonly [RegExp, Dialect][] = [
  [/\/responses$/, responses],
  [/\/chat\/completions$/, chat],
  [/\/messages(\?.*)?$/, messages],
  [/:(streamGenerateContent|generateContent)/, gemini],
];

const hasTools = ({ tools }: Json) => Array.isArray(tools) && tools.length > 0;

/** What the vendor was asked so far. */
export interface LoopLog {
  /** what it refused, in its words */
  readonly refused: string[];
  /** how many earlier thoughts each request sent back unchanged */
  readonly thoughts: number[];
}

/** What a scripted vendor answers so that it plays this model. */
export function playToolLoop(log: LoopLog, turns = weatherTurns): (request: ReceivedRequest) => ScriptedAnswer {
  return ({ path, body: text }) => {
    const body = JSON.parse(text);
    const dialect = dialects.find(([pattern]) => pattern.test(path))?.[1];
    if (dialect === undefined) return { status: 404, pieces: ["{}"] };
    const { turn: next, problem, thoughts } = dialect.read(body, turns);
    // Agents also ask for titles and the like, without tools.
    const script = { turns, turn: hasTools(body) ? next : turns.length - 1 };
    if (hasTools(body)) log.thoughts.push(thoughts);
    const json = { "content-type": "application/json" };
    if (problem !== null) {
      log.refused.push(problem);
      return { status: 400, headers: json, pieces: [JSON.stringify(dialect.refusal(problem))] };
    }
    if (body.stream !== true && !path.includes("streamGenerateContent"))
      return { headers: json, pieces: [JSON.stringify(dialect.answer(script, body))] };
    return { headers: { "content-type": "text/event-stream" }, pieces: dialect.frames(script, body) };
  };
}
