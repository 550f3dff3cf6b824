import { isObject, parseObject, readOpenAiUsage, type JsonObject } from "../answer.ts";
import { failure, reasonOf } from "../failure.ts";
import { BadAnswer, type ChatDialect, type ChatEvent, type ChatObject } from "../provider.ts";
import { headers, operationUrl } from "./request.ts";

/** OpenAI's `POST /chat/completions`. Members that this program does not know are passed on. */
export const chat: ChatDialect = {
  takes: ({ options }, parameter) => !options.omit?.includes(parameter),

  toRequest(upstream, call) {
    const { omit, reasoning, rename, streamUsage = true } = upstream.options;
    const members: JsonObject = { ...call.body, model: call.model, stream: call.stream };
    delete members["stream_options"];
    // The gateway meters every stream, whether or not the caller asked for usage.
    if (call.stream && streamUsage) members["stream_options"] = { include_usage: true };
    if (reasoning === "effort" && isObject(members["reasoning"])) {
      const { effort } = members["reasoning"];
      delete members["reasoning"];
      if (effort !== undefined && effort !== null) members["reasoning_effort"] ??= effort;
    }
    for (const [name, theirs] of Object.entries(rename ?? {})) {
      if (!(name in members)) continue;
      members[theirs] ??= members[name];
      delete members[name];
    }
    for (const name of omit ?? []) delete members[name];
    return {
      method: "POST",
      url: operationUrl(upstream, "chat/completions", call.model),
      headers: headers(upstream, call.stream ? "text/event-stream" : "application/json"),
      body: JSON.stringify(members),
    };
  },

  readAnswer(text) {
    const result = parseObject(text);
    if (!hasChoices(result) || result.choices.length === 0) throw new BadAnswer("the answer has no choices");
    const choices = result.choices.map(wholeChoice);
    return { result: { ...result, choices }, usage: readOpenAiUsage(result["usage"]) };
  },

  reader: () => ({ read: ({ data }) => readEvent(data) }),
};

/** A choice with the members that clients count on, which small servers leave out. @throws BadAnswer where nothing was said */
function wholeChoice(choice: JsonObject, index: number): JsonObject {
  const { message } = choice;
  if (!isObject(message)) throw new BadAnswer(`choices.${index} has no message`);
  return {
    finish_reason: null,
    ...choice,
    index: typeof choice["index"] === "number" ? choice["index"] : index,
    message: { ...message, role: typeof message["role"] === "string" ? message["role"] : "assistant" },
  };
}

function hasChoices(value: JsonObject): value is ChatObject {
  return Array.isArray(value["choices"]) && value["choices"].every(isObject);
}

function readEvent(data: string): readonly ChatEvent[] {
  if (data === "[DONE]") return [{ type: "done" }];
  const chunk = parseObject(data);
  if (chunk["error"] !== undefined && chunk["error"] !== null)
    return [{ type: "error", failure: midStream(chunk["error"]) }];
  const events: ChatEvent[] = [];
  // Groq's usage stands in a member of its own: https://console.groq.com/docs/api-reference (x_groq).
  const groq = chunk["x_groq"];
  const usage = readOpenAiUsage(chunk["usage"] ?? (isObject(groq) ? groq["usage"] : null));
  if (hasChoices(chunk) && chunk.choices.length > 0) {
    const { usage: _, ...rest } = chunk;
    events.push({ type: "chunk", chunk: rest });
  }
  if (usage) events.push({ type: "usage", usage });
  return events;
}

function midStream(error: unknown) {
  const { message, code, type } = isObject(error) ? error : { message: error, code: null, type: null };
  const said = typeof message === "string" && message ? message : "the provider broke off without a message";
  const words = [code, type].filter((one) => typeof one === "string").join(" ");
  // Who has already answered 200 puts the status that it would have been into the event.
  const status = typeof code === "number" && code >= 400 && code < 600 ? code : 500;
  return failure(/overloaded/.test(words) ? "overloaded" : reasonOf(status, words, said), {
    message: said.slice(0, 500),
    code: typeof code === "string" ? code : typeof type === "string" ? type : null,
  });
}
