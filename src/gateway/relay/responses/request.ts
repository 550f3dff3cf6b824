import { inputProblem, ResponsesBody } from "#contract/responses.ts";
import { invalid, invalidMembers } from "../../domain/refusal.ts";
import type { JsonObject } from "../../providers/answer.ts";
import { largestMaximum } from "../../providers/messages.ts";
import { isShortJson } from "../../read-json.ts";
import type { Turn } from "../../turns.ts";
import { askedModels, cacheKeyOf, type ChatRequest } from "../chat/request.ts";
import { vendorSettings } from "../chat/settings.ts";
import type { ModelCall } from "../model-call.ts";
import { readBody } from "../read-body.ts";
import { locatedTools } from "./items.ts";
import { passedRequest } from "./native.ts";
import { refuseForeignState } from "./state.ts";
import { toChat } from "./to-chat.ts";

/** Values in a body: most of them are in the tools' schemas. */
const mostValues = 100_000;
/** Those that the request offers, that its items bring, and that are in namespaces. */
const mostTools = 4_096;

/**
 * @param defaultModel the model for a call that names none; null: such a call is refused
 * @throws Refusal invalid_request, naming the member and what would be right
 */
export async function readResponsesRequest(
  { body: bytes }: Pick<ModelCall, "body">,
  defaultModel: string | null,
  turn: Turn,
): Promise<ChatRequest> {
  const json = await readBody(bytes, turn, mostValues);
  const problem = inputProblem(json["input"]);
  if (problem !== null) throw invalid(["input", ...problem.path].join("."), problem.message);
  if (!isShortJson(bytes)) await turn.next();
  const read = ResponsesBody.safeParse(json);
  if (!read.success) throw invalidMembers(read.error.issues);
  const checked = read.data;
  const { model, models, stream, provider, session_id, trace, user } = checked;
  const asked = askedModels([model, ...(models ?? [])], defaultModel);
  refuseManyTools(json);
  refuseForeignState(json, checked);
  if (!isShortJson(bytes)) await turn.next();
  const { messages, body, untranslatable } = await toChat(json, turn);
  if (turn.isOver()) await turn.next();
  const { input: _, instructions: __, text: ___, ...rest } = json;
  const settings = await vendorSettings(rest, turn);
  return {
    models: asked,
    messages,
    stream: stream === true,
    maxTokens: largestMaximum(json),
    settings,
    choices: 1,
    returned: 1,
    user: user ?? null,
    preferences: provider ?? {},
    sessionId: session_id ?? null,
    cacheKey: cacheKeyOf(json),
    trace: trace ?? null,
    inOlderForm: false,
    body,
    passed: await passedRequest({ bytes, json, checked, settings, untranslatable }, turn),
  };
}

function refuseManyTools(json: Readonly<JsonObject>): void {
  let count = 0;
  for (const { path } of locatedTools(json)) {
    count += 1;
    if (count > mostTools) throw invalid(path, `is one tool too many: a request can have ${mostTools}`);
  }
}
