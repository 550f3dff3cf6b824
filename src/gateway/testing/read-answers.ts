import type { CallerForm } from "../relay/caller-form.ts";
import { chatForm } from "../relay/chat/chat-form.ts";
import { messagesForm } from "../relay/messages/messages-form.ts";
import { responsesForm } from "../relay/responses/responses-form.ts";
import type { Exchange } from "./exchange.ts";

export type CallerName = "chat" | "messages" | "responses";

export const forms: Readonly<Record<CallerName, CallerForm>> = {
  chat: chatForm,
  messages: messagesForm,
  responses: responsesForm,
};

/** A plain request in each form. */
export function plainRequest(caller: CallerName, prompt: string): object {
  const messages = [{ role: "user", content: prompt }];
  if (caller === "responses") return { model: "acme/talk", input: prompt };
  return { model: "acme/talk", messages, ...(caller === "messages" ? { max_tokens: 8_192 } : {}) };
}

/** What an answer says, whichever form it is in. */
export interface Said {
  text: string;
  reasoning: string;
  refusal: string;
  /** the arguments of each call */
  calls: string[];
  ids: string[];
  /** `reasoning_details` of a chat */
  details: unknown[];
  finish: unknown;
  broken: boolean;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers of three forms, whose shapes are what is tested
type Json = any;

/** Reads an answer, whole or streamed, as a client of the form does. */
export function readAs(caller: CallerName, { text, json, headers, refusal }: Exchange): Said {
  if (refusal !== null) return { ...nothing(), broken: true };
  const isStream = /event-stream/.test(headers["content-type"] ?? "");
  const events: Json[] = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
  return readers[caller](isStream ? events : [json], isStream);
}

const nothing = (): Said => ({
  text: "",
  reasoning: "",
  refusal: "",
  calls: [],
  ids: [],
  details: [],
  finish: null,
  broken: false,
});

const readers: Readonly<Record<CallerName, (events: readonly Json[], isStream: boolean) => Said>> = {
  chat(events, isStream) {
    const said = nothing();
    for (const { choices, error } of events) {
      said.broken ||= error !== undefined;
      const [choice] = choices ?? [];
      const { content, reasoning, refusal, tool_calls, reasoning_details } =
        choice?.[isStream ? "delta" : "message"] ?? {};
      said.text += typeof content === "string" ? content : "";
      said.reasoning += reasoning ?? "";
      said.refusal += refusal ?? "";
      said.details.push(...(reasoning_details ?? []));
      said.finish = choice?.finish_reason ?? said.finish;
      for (const [position, { id, index = position, function: called, custom }] of (tool_calls ?? []).entries()) {
        said.calls[index] = (said.calls[index] ?? "") + (called?.arguments ?? custom?.input ?? "");
        said.ids[index] = (said.ids[index] ?? "") + (id ?? "");
      }
    }
    return said;
  },

  messages(events, isStream) {
    const said = nothing();
    const blocks: Json[] = isStream ? [] : events[0].content;
    for (const { type, index, content_block: block, delta } of events) {
      if (type === "error") said.broken = true;
      if (type === "content_block_start") blocks[index] = { ...block, json: "" };
      if (type !== "content_block_delta") continue;
      const open = blocks[index];
      open.text = (open.text ?? "") + (delta.text ?? "");
      open.thinking = (open.thinking ?? "") + (delta.thinking ?? "");
      open.json += delta.partial_json ?? "";
    }
    for (const { type, id, input, json, text, thinking } of blocks.filter(Boolean)) {
      if (type === "text") said.text += text;
      if (type === "thinking") said.reasoning += thinking;
      if (type !== "tool_use") continue;
      said.calls.push(json === undefined || json === "" ? JSON.stringify(input) : json);
      said.ids.push(id);
    }
    return said;
  },

  responses(events, isStream) {
    if (isStream) return streamedResponse(events);
    const said = nothing();
    const [response] = events;
    said.broken = response.status === "failed";
    for (const item of response.output) {
      for (const part of item.content ?? []) addPart(said, part.type, part.text ?? part.refusal);
      if (item.type !== "function_call") continue;
      said.calls.push(item.arguments);
      said.ids.push(item.call_id);
    }
    return said;
  },
};

function addPart(said: Said, type: string, text: string): void {
  if (/^(?:response\.)?output_text/.test(type)) said.text += text;
  if (/^(?:response\.)?reasoning_text/.test(type)) said.reasoning += text;
  if (/^(?:response\.)?refusal/.test(type)) said.refusal += text;
}

function streamedResponse(events: readonly Json[]): Said {
  const said = nothing();
  const calls = new Map<number, { id: string; json: string }>();
  for (const { type, output_index: at, item, delta } of events) {
    if (type.endsWith(".delta")) addPart(said, type, delta);
    if (type === "response.output_item.added" && item.type === "function_call")
      calls.set(at, { id: item.call_id, json: "" });
    const call = calls.get(at);
    if (type === "response.function_call_arguments.delta" && call !== undefined) call.json += delta;
    if (type === "response.failed" || type === "error") said.broken = true;
  }
  said.calls = [...calls.values()].map(({ json }) => json);
  said.ids = [...calls.values()].map(({ id }) => id);
  return said;
}
