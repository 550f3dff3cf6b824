import type { JsonObject } from "../providers/answer.ts";
import { CallFailed } from "../providers/call.ts";
import type { HttpAdapter } from "../providers/provider.ts";
import { adapters, toUpstream } from "../providers/registry.ts";
import type { ChatForm } from "../relay/chat/conversation.ts";
import { toChat as messagesToChat } from "../relay/messages/to-chat.ts";
import { toChat as responsesToChat } from "../relay/responses/to-chat.ts";
import { takeTurns } from "../turns.ts";
import type { requests } from "./conversations.ts";
import type { ExchangePartner } from "./exchange.ts";
import { partners, type ProviderName } from "./members.ts";

export type Caller = keyof typeof requests;
/** Mistral speaks chat, with ids of its own. */
export type Provider = ProviderName | "mistral";

export const callers = ["chat", "messages", "responses"] as const;
export const providers = ["chat", "openai", "mistral", "anthropic", "gemini", "cohere"] as const;
/** They get the caller's bytes. */
export const isPassed = (caller: Caller, provider: Provider) =>
  (caller === "messages" && provider === "anthropic") || (caller === "responses" && provider === "openai");
const models: Readonly<Record<Provider, string>> = {
  chat: "talk",
  openai: "gpt-5.6",
  mistral: "mistral-large",
  anthropic: "claude-opus-4-8",
  gemini: "gemini-3-pro",
  cohere: "command-a",
};

const toChat: Readonly<Record<Caller, (body: JsonObject) => Promise<ChatForm> | ChatForm>> = {
  chat: (body) => ({ messages: [], body, untranslatable: null }),
  messages: (body) => messagesToChat(body, takeTurns("key", { patient: true })),
  responses: (body) => responsesToChat(body, takeTurns("key", { patient: true })),
};

export function adapterOf(provider: Provider): { adapter: HttpAdapter; upstream: ReturnType<typeof toUpstream> } {
  const partner: ExchangePartner = provider === "mistral" ? { preset: "mistral" } : partners[provider];
  const { kind = "openai-compatible", preset = "custom" } = partner;
  const settings = { slug: "acme", kind, preset, baseUrl: "https://vendor.example/v1", apiKey: "k", options: {} };
  return { adapter: adapters[kind] as HttpAdapter, upstream: toUpstream(settings) };
}

/** What the provider is sent; a text: it is refused in these words. */
export async function sentTo(provider: Provider, caller: Caller, request: JsonObject): Promise<JsonObject | string> {
  const { body, untranslatable } = await toChat[caller](request);
  if (untranslatable !== null) return untranslatable;
  const { adapter, upstream } = adapterOf(provider);
  try {
    const call = { model: models[provider], body, stream: false, maxTokens: 8_192, maxOutputTokens: null };
    return JSON.parse(String(adapter.chat?.toRequest(upstream, call).body));
  } catch (error) {
    if (error instanceof CallFailed) return error.failure.message;
    throw error;
  }
}
