import { tokensOf, type VendorAnswer, type VendorRequest, type VendorSettings } from "./vendor-answers.ts";

const json = (value: unknown): VendorAnswer => ({ type: "json", status: 200, json: JSON.stringify(value) });
const named = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const promptTokens = (value: unknown) => tokensOf(JSON.stringify(value));

/** https://docs.cohere.com/reference/chat and /docs/streaming */
export function cohereChat({ body }: VendorRequest, { words }: VendorSettings): VendorAnswer {
  const usage = {
    billed_units: { input_tokens: promptTokens(body.messages), output_tokens: words.length },
    tokens: { input_tokens: promptTokens(body.messages) + 60, output_tokens: words.length },
  };
  if (body.stream !== true) {
    const message = { role: "assistant", content: [{ type: "text", text: words.join("") }] };
    return json({ id: "fake", finish_reason: "COMPLETE", message, usage });
  }
  const start = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  const events = [
    { type: "message-start", id: "fake", delta: { message: start } },
    { type: "content-start", index: 0, delta: { message: { content: { type: "text", text: "" } } } },
    ...words.map((text) => ({ type: "content-delta", index: 0, delta: { message: { content: { text } } } })),
    { type: "content-end", index: 0 },
    { type: "message-end", delta: { finish_reason: "COMPLETE", usage } },
  ];
  return { type: "stream", frames: events.map(named) };
}

/** https://ai.google.dev/api/generate-content */
export function geminiChat({ body, path }: VendorRequest, { words }: VendorSettings): VendorAnswer {
  const answer = (text: string, said: number, last: boolean) => ({
    candidates: [
      { content: { parts: [{ text }], role: "model" }, ...(last ? { finishReason: "STOP" } : {}), index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: promptTokens(body.contents),
      candidatesTokenCount: said,
      totalTokenCount: promptTokens(body.contents) + said,
    },
    modelVersion: "fake",
    responseId: "fake",
  });
  if (!path.includes(":streamGenerateContent")) return json(answer(words.join(""), words.length, true));
  const frames = words.map((word, index) => {
    const last = index === words.length - 1;
    // Google ends its lines with CR LF.
    return `data: ${JSON.stringify(answer(word, index + 1, last))}\r\n\r\n`;
  });
  return { type: "stream", frames };
}

/** https://docs.anthropic.com/en/api/messages and /en/docs/build-with-claude/streaming */
export function anthropicMessages({ body }: VendorRequest, { words }: VendorSettings): VendorAnswer {
  const input_tokens = promptTokens(body.messages);
  const message = { id: "msg_fake", type: "message", role: "assistant", model: body.model, stop_sequence: null };
  if (body.stream !== true) {
    const content = [{ type: "text", text: words.join("") }];
    return json({ ...message, content, stop_reason: "end_turn", usage: { input_tokens, output_tokens: words.length } });
  }
  const start = { ...message, content: [], stop_reason: null, usage: { input_tokens, output_tokens: 1 } };
  const events = [
    { type: "message_start", message: start },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "ping" },
    ...words.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: words.length },
    },
    { type: "message_stop" },
  ];
  return { type: "stream", frames: events.map(named) };
}
