import { partsExcess } from "#contract/conversation-bounds.ts";
import { MessagesBody } from "#contract/messages.ts";
import { invalid, invalidMembers, type Refusal } from "../../domain/refusal.ts";
import { largestMaximum } from "../../providers/messages.ts";
import { isShortJson } from "../../read-json.ts";
import type { Turn } from "../../turns.ts";
import { askedModels, type ChatRequest } from "../chat/request.ts";
import { vendorSettings } from "../chat/settings.ts";
import type { ModelCall } from "../model-call.ts";
import { readBody } from "../read-body.ts";
import { passedRequest } from "./native.ts";
import { toChat } from "./to-chat.ts";

/** Values in a body: most of them are in the tools' schemas. */
const mostValues = 100_000;

/** The JSON of a request in this dialect, with its conversation bounded. @throws Refusal invalid_request */
export async function readMessagesBody(body: Buffer, turn: Turn) {
  const json = await readBody(body, turn, mostValues);
  const excess = partsExcess(json["messages"]);
  if (excess !== null) throw invalid(["messages", ...excess.path].join("."), excess.message);
  if (json["thread"] !== undefined && json["thread"] !== null) throw threadRefusal();
  if (!isShortJson(body)) await turn.next();
  return json;
}

/**
 * All keys share the provider's account, so the id of a thread that it keeps proves nothing. In these words of Anthropic's
 * its clients go on with the whole conversation in each request.
 */
function threadRefusal(): Refusal {
  return invalid("thread", "is not supported: send the whole conversation in messages, and leave thread out", {
    messagesDetails: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
  });
}

/**
 * @param defaultModel the model for a call that names none; null: such a call is refused
 * @throws Refusal invalid_request, naming the member and what would be right
 */
export async function readMessagesRequest(
  { body: bytes, headers }: Pick<ModelCall, "body" | "headers">,
  defaultModel: string | null,
  turn: Turn,
): Promise<ChatRequest> {
  const json = await readMessagesBody(bytes, turn);
  const checked = MessagesBody.safeParse(json);
  if (!checked.success) throw invalidMembers(checked.error.issues);
  const { model, models, fallbacks, stream, provider, session_id, trace, user, metadata } = checked.data;
  const named = [model, ...(models ?? []), ...(fallbacks ?? []).map((each) => each.model)];
  const asked = askedModels(named, defaultModel);
  const { messages, body, untranslatable } = await toChat(json, turn);
  const { system: _, ...rest } = json;
  const settings = await vendorSettings(rest, turn);
  return {
    models: asked,
    messages,
    stream: stream === true,
    maxTokens: largestMaximum(json),
    settings,
    choices: 1,
    returned: 1,
    user: user ?? metadata?.user_id ?? null,
    preferences: provider ?? {},
    sessionId: session_id ?? null,
    cacheKey: null,
    trace: trace ?? null,
    inOlderForm: false,
    body,
    passed: await passedRequest({ bytes, json, headers, settings, untranslatable }, turn),
  };
}
