/**
 * Messages as OpenTelemetry's GenAI conventions write them (gen_ai.input.messages and gen_ai.output.messages): a role
 * and parts. Images that were sent inline lose their bytes, which no trace viewer shows.
 */
export interface GenAiMessage {
  role: string;
  parts: Record<string, unknown>[];
  finish_reason?: string;
}

type Json = Readonly<Record<string, unknown>>;

export function inputMessages(input: unknown): GenAiMessage[] {
  if (Array.isArray(input) && input.every(isMessage)) return input.map((message) => messageOf(message));
  return texts(input).map((content) => ({ role: "user", parts: [{ type: "text", content }] }));
}

/** @param choices the answer's choices in the public API's form */
export function outputMessages(choices: unknown): GenAiMessage[] {
  if (!Array.isArray(choices)) return [];
  return choices.filter(isObject).map((choice) => {
    const message = isObject(choice["message"]) ? choice["message"] : {};
    const reason = choice["finish_reason"];
    return {
      ...messageOf({ role: "assistant", ...message }),
      ...(typeof reason === "string" ? { finish_reason: reason } : {}),
    };
  });
}

function messageOf(message: Json): GenAiMessage {
  const role = String(message["role"]);
  const parts: Record<string, unknown>[] = [];
  const { content, reasoning, tool_calls, tool_call_id } = message;
  if (typeof reasoning === "string" && reasoning !== "") parts.push({ type: "reasoning", content: reasoning });
  if (role === "tool") parts.push({ type: "tool_call_response", id: tool_call_id ?? null, response: content ?? null });
  else if (typeof content === "string") parts.push({ type: "text", content });
  else if (Array.isArray(content)) parts.push(...content.filter(isObject).map(partOf));
  if (Array.isArray(tool_calls)) parts.push(...tool_calls.filter(isObject).map(toolCallOf));
  return { role, parts };
}

function partOf(part: Json): Record<string, unknown> {
  const type = String(part["type"]);
  if (type === "text") return { type: "text", content: part["text"] };
  const image = isObject(part["image_url"]) ? part["image_url"]["url"] : part["image_url"];
  if (typeof image !== "string") return { type };
  const inline = /^data:([^;,]*)/.exec(image);
  return inline
    ? { type: "blob", modality: "image", mime_type: inline[1] ?? null }
    : { type: "uri", modality: "image", uri: image };
}

function toolCallOf(call: Json): Record<string, unknown> {
  const called = isObject(call["function"]) ? call["function"] : {};
  return { type: "tool_call", id: call["id"] ?? null, name: called["name"], arguments: called["arguments"] };
}

/** The inputs of an embeddings call as texts: one, several, or token ids and blocks as JSON. */
function texts(input: unknown): string[] {
  if (input === null || input === undefined) return [];
  if (typeof input === "string") return [input];
  if (Array.isArray(input) && input.every((each) => typeof each === "string")) return input;
  return [JSON.stringify(input)];
}

function isMessage(value: unknown): value is Json {
  return isObject(value) && typeof value["role"] === "string";
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
