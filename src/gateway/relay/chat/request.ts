import { ChatBody } from "#contract/chat.ts";
import { conversationExcess } from "#contract/conversation-bounds.ts";
import type { ProviderPreferences } from "#contract/routing.ts";
import { invalid, invalidMembers } from "../../domain/refusal.ts";
import type { JsonObject } from "../../providers/answer.ts";
import { largestMaximum } from "../../providers/messages.ts";
import { isShortJson } from "../../read-json.ts";
import type { Turn } from "../../turns.ts";
import { asksInOlderForm, withToolCalls, withTools } from "./older-functions.ts";
import { readBody } from "../read-body.ts";
import type { PassedRequest } from "./passed-request.ts";
import { withoutNulls } from "./without-nulls.ts";
import { type VendorSettings, vendorSettings } from "./settings.ts";

/** A chat call as the caller sent it, checked. */
export interface ChatRequest {
  /** in the order of preference; at least one */
  readonly models: readonly string[];
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly stream: boolean;
  /** the caller's maximum for the answer; null: none was given */
  readonly maxTokens: number | null;
  /** what it asks for in members that are passed on */
  readonly settings: VendorSettings;
  /** answers that are generated, whether or not all of them are returned */
  readonly choices: number;
  /** answers that are returned */
  readonly returned: number;
  readonly user: string | null;
  readonly preferences: ProviderPreferences;
  readonly sessionId: string | null;
  /** what the caller names its prompt by in a vendor's cache */
  readonly cacheKey: string | null;
  readonly trace: Readonly<Record<string, unknown>> | null;
  /** the caller gave its tools as `functions` */
  readonly inOlderForm: boolean;
  /** the body for the vendor: the caller's without the gateway's own members, tools and their calls in today's form */
  readonly body: Readonly<Record<string, unknown>>;
  /** for providers that speak the caller's own dialect; null: that is the public chat form */
  readonly passed: PassedRequest | null;
}

/** Values in a body: most of them are in the tools' schemas. */
export const mostValues = 100_000;

/**
 * @param defaultModel the model for a call that names none; null: such a call is refused
 * @throws Refusal invalid_request, naming the member and what would be right
 */
export async function readChatRequest(bytes: Buffer, defaultModel: string | null, turn: Turn): Promise<ChatRequest> {
  const json = await readBody(bytes, turn, mostValues);
  const excess = conversationExcess(json["messages"]);
  if (excess !== null) throw invalid(["messages", ...excess.path].join("."), excess.message);
  if (!isShortJson(bytes)) await turn.next();
  return await chatRequestOf(json, defaultModel, turn);
}

/** The same of what was parsed already. */
export async function chatRequestOf(
  json: Readonly<JsonObject>,
  defaultModel: string | null,
  turn: Turn,
): Promise<ChatRequest> {
  const checked = ChatBody.safeParse(json);
  if (!checked.success) throw invalidMembers(checked.error.issues);
  const { model, models, stream, provider, session_id, trace, n, best_of, user } = checked.data;
  const asked = askedModels([model, ...(models ?? [])], defaultModel);
  const { provider: _, models: __, session_id: ___, trace: ____, route: _____, ...body } = json;
  const messages = withToolCalls(checked.data.messages);
  return {
    models: asked,
    messages,
    stream: stream === true,
    maxTokens: largestMaximum(json),
    settings: await vendorSettings(body, turn),
    choices: Math.max(n ?? 1, best_of ?? 1),
    returned: n ?? 1,
    user: user ?? null,
    preferences: provider ?? {},
    sessionId: session_id ?? null,
    cacheKey: cacheKeyOf(json),
    trace: trace ?? null,
    inOlderForm: asksInOlderForm(json),
    body: withoutNulls(withTools({ ...body, messages })),
    passed: null,
  };
}

/** https://platform.openai.com/docs/guides/prompt-caching: in chat and in responses. */
export function cacheKeyOf({ prompt_cache_key: key }: Readonly<Record<string, unknown>>): string | null {
  return typeof key === "string" && key !== "" ? key : null;
}

/** The models that a call names, each once, or else the workspace's default one. @throws Refusal where there is none */
export function askedModels(named: readonly (string | null | undefined)[], defaultModel: string | null): string[] {
  const asked = new Set(named.filter((each) => typeof each === "string"));
  if (asked.size > 0) return [...asked];
  if (defaultModel !== null) return [defaultModel];
  throw invalid("model", "is required: the id of a chat model, or set a default text model in the workspace");
}
