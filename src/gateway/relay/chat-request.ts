import { ChatBody } from "#contract/chat.ts";
import type { ProviderPreferences } from "#contract/routing.ts";
import { invalid, Refusal } from "../domain/refusal.ts";
import { countTokens } from "../providers/local/lexical.ts";
import { isJson, readJson } from "./embeddings-request.ts";

/** A chat call as the caller sent it, checked. */
export interface ChatRequest {
  /** in the order of preference; at least one */
  readonly models: readonly string[];
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly stream: boolean;
  /** what the caller allows the answer to be; null: nothing was said */
  readonly maxTokens: number | null;
  readonly choices: number;
  readonly user: string | null;
  readonly preferences: ProviderPreferences;
  readonly sessionId: string | null;
  readonly trace: Readonly<Record<string, unknown>> | null;
  /** what goes to the vendor: the caller's body without the gateway's own members */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * @param defaultModel what a call gets that names no model; null: it is refused
 * @throws Refusal invalid_request, naming the member and what would be right
 */
export function readChatRequest(bytes: Buffer, defaultModel: string | null): ChatRequest {
  const json = readJson(bytes);
  const checked = ChatBody.safeParse(json);
  if (!checked.success) {
    const issues = checked.error.issues.flatMap((issue) => {
      const path = issue.path.join(".");
      const unknown = issue.code === "unrecognized_keys" ? issue.keys : null;
      if (unknown === null) return [{ path, message: issue.message || "is not right" }];
      return unknown.map((key) => ({ path: `${path}.${key}`, message: "is not a known member" }));
    });
    const [first] = issues;
    throw new Refusal("invalid_request", `${first?.path ?? "The body"} ${first?.message ?? "is not right"}`, {
      issues,
    });
  }
  const { model, models, stream, provider, session_id, trace, max_tokens, max_completion_tokens, n, user } =
    checked.data;
  const named = [...(model === undefined ? [] : [model]), ...(models ?? [])];
  const asked = named.length === 0 && defaultModel !== null ? [defaultModel] : named;
  if (asked.length === 0) {
    throw invalid("model", "is required: the id of a chat model, or set a default text model in the workspace");
  }
  const { provider: _, models: __, session_id: ___, trace: ____, route: _____, ...body } = json;
  return {
    models: [...new Set(asked)],
    messages: checked.data.messages,
    stream: stream === true,
    maxTokens: max_completion_tokens ?? max_tokens ?? null,
    choices: n ?? 1,
    user: user ?? null,
    preferences: provider ?? {},
    sessionId: session_id ?? null,
    trace: trace ?? null,
    body,
  };
}

/** What a prompt is made of, for counting it. */
export interface Prompt {
  readonly text: string;
  readonly images: number;
}

/** All text that a vendor reads of the request, and how many images. */
export function promptOf({ messages, body }: ChatRequest): Prompt {
  const texts: string[] = [];
  let images = 0;
  for (const message of messages) {
    const { content, tool_calls } = message;
    if (tool_calls !== undefined) texts.push(JSON.stringify(tool_calls));
    if (typeof content === "string") texts.push(content);
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      if (!isJson(part)) continue;
      if (typeof part["text"] === "string") texts.push(part["text"]);
      else if (part["type"] === "image_url") images += 1;
      else texts.push(JSON.stringify(part));
    }
  }
  if (body["tools"] !== undefined) texts.push(JSON.stringify(body["tools"]));
  if (body["response_format"] !== undefined) texts.push(JSON.stringify(body["response_format"]));
  return { text: texts.join("\n"), images };
}

/** Tokens that a vendor puts around each message. */
const aroundMessage = 8;
/** For an image whose vendor does not say how many tokens it makes of one. */
export const tokensPerImage = 8_192;

/** The most tokens that the prompt can be: one for each byte. */
export function mostPromptTokens(request: ChatRequest, prompt: Prompt, contextLength: number | null): number {
  const most =
    Buffer.byteLength(prompt.text) + aroundMessage * (request.messages.length + 2) + prompt.images * tokensPerImage;
  return contextLength === null ? most : Math.min(most, contextLength);
}

/** The gateway's own count, for vendors that give none. */
export function ownPromptCount(request: ChatRequest, prompt: Prompt): number {
  return countTokens(prompt.text) + 4 * request.messages.length;
}

/** For models that do not say how long their answers can be. */
const assumedAnswer = 16_384;

/** The most tokens that all choices together can have. */
export function mostCompletionTokens(
  { maxTokens, choices }: ChatRequest,
  model: { maxCompletionTokens: number | null; contextLength: number | null },
): number {
  return choices * (maxTokens ?? model.maxCompletionTokens ?? model.contextLength ?? assumedAnswer);
}
