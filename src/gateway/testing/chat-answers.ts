import type { ScriptedAnswer } from "./scripted-vendor.ts";

/** Answers of vendors that speak the chat dialect, for callers of every other one. */

const details = {
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 7 },
};
const counts = { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130 };

/** A whole answer. @param more members of its usage. @param choice of its choice */
export const wholeChat = (
  message: object,
  finish = "stop",
  more: object = {},
  choice: object = {},
): ScriptedAnswer => ({
  headers: { "content-type": "application/json" },
  pieces: [
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      model: "upstream",
      choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish, ...choice }],
      usage: { ...counts, ...more },
    }),
  ],
});

export const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** The piece of a tool's call in a stream. */
export const callChunk = (index: number, piece: object) => chunk({ tool_calls: [{ index, ...piece }] });

const ending = [`data: ${JSON.stringify({ choices: [], usage: { ...counts, ...details } })}\n\n`, "data: [DONE]\n\n"];

/** A stream that ends in good order, with its usage. */
export const streamedChat = (...frames: readonly string[]): ScriptedAnswer => ({
  headers: { "content-type": "text/event-stream" },
  pieces: [...frames, ...ending],
});

/** The same bytes in pieces of this size. */
export function inPieces({ pieces, ...answer }: ScriptedAnswer, size: number): ScriptedAnswer {
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
  const count = Math.ceil(bytes.length / size);
  return { ...answer, pieces: Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size)) };
}

const weather = (args: string) => callChunk(0, { function: { arguments: args } });

/** A stream with thoughts by both names, text, a citation, and two calls. @param together both are written at once */
export const streamWithAll = (together: boolean): ScriptedAnswer => {
  const [first, second] = [weather('{"place":'), weather('"Paris"}')];
  const other = callChunk(1, { id: "call_2", type: "function", function: { name: "get_time", arguments: "{" } });
  return streamedChat(
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning: "Let me " }),
    chunk({ reasoning_content: "see" }),
    chunk({ reasoning_details: [{ type: "reasoning.text", signature: "c2ln", format: "anthropic-claude-v1" }] }),
    chunk({ content: "I'll " }),
    chunk({ content: "check." }),
    chunk({ annotations: [{ type: "url_citation", url_citation: { ...cited, start_index: 0, end_index: 4 } }] }),
    callChunk(0, { id: "call_1", type: "function", function: { name: "get_weather", arguments: "" } }),
    ...(together ? [first, other, second] : [first, second, other]),
    callChunk(1, { function: { arguments: "}" } }),
    chunk({}, "tool_calls"),
  );
};

const cited = { url: "https://a.example", title: "A" };
