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
  const { content, reasoning, reasoning_content, refusal, images, audio, tool_calls, tool_call_id } = message;
  const thought = [reasoning, reasoning_content].find(isFilled);
  if (thought !== undefined) parts.push({ type: "reasoning", content: thought });
  if (role === "tool") parts.push({ type: "tool_call_response", id: tool_call_id ?? null, response: content ?? null });
  else if (typeof content === "string") parts.push({ type: "text", content });
  else if (Array.isArray(content)) parts.push(...content.filter(isObject).map(partOf));
  if (isFilled(refusal)) parts.push({ type: "refusal", content: refusal });
  if (Array.isArray(images)) parts.push(...images.filter(isObject).map(imageOf));
  if (isObject(audio)) parts.push(...spokenIn(audio));
  if (Array.isArray(tool_calls)) parts.push(...tool_calls.filter(isObject).map(toolCallOf));
  return { role, parts };
}

function partOf(part: Json): Record<string, unknown> {
  const type = String(part["type"]);
  return type === "text" ? { type: "text", content: part["text"] } : imageOf(part);
}

function imageOf(part: Json): Record<string, unknown> {
  const type = String(part["type"]);
  const image = isObject(part["image_url"]) ? part["image_url"]["url"] : part["image_url"];
  if (typeof image !== "string") return { type };
  const inline = /^data:([^;,]*)/.exec(image);
  return inline
    ? { type: "blob", modality: "image", mime_type: inline[1] ?? null }
    : { type: "uri", modality: "image", uri: image };
}

function spokenIn({ transcript }: Json): Record<string, unknown>[] {
  const spoken = { type: "blob", modality: "audio", mime_type: null };
  return isFilled(transcript) ? [{ type: "text", content: transcript }, spoken] : [spoken];
}

/** A call of a function, or of a tool of another type, in a member of its type's name. */
export function toolCallOf(call: Json): Record<string, unknown> {
  const type = typeof call["type"] === "string" ? call["type"] : "function";
  const called = [call["function"], call[type]].find(isObject) ?? {};
  const given = called["arguments"] ?? called["input"];
  return { type: "tool_call", id: call["id"] ?? null, name: called["name"], arguments: given };
}

function isFilled(text: unknown): text is string {
  return typeof text === "string" && text !== "";
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
