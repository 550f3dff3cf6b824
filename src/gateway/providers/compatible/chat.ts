import { isObject, objectOf, objectsIn, readOpenAiUsage, type JsonObject } from "../answer.ts";
import { errorIn, failureWithin } from "../failure.ts";
import { BadAnswer, type ChatDialect, type ChatEvent, type ChatObject, type Upstream } from "../provider.ts";
import { maximumMembers } from "../messages.ts";
import { readReasoning } from "../reasoning.ts";
import { isForGateway, pick, strictMessages, withCallIds, withThoughts } from "./members.ts";
import { chunkNormalizer, publicResult } from "./public-form.ts";
import { headers, operationUrl } from "./request.ts";
import { asModelTakes } from "./thinking.ts";

/** OpenAI's `POST /chat/completions`. Members that this program does not know are passed on. */
export const chat: ChatDialect = {
  takes({ options }, parameter) {
    if (isForGateway(parameter)) return options.publicApi === true;
    if (options.omit?.includes(parameter)) return false;
    if (parameter === "max_tokens" || parameter === "max_completion_tokens") return true;
    const theirs = parameter === "reasoning" ? "reasoning_effort" : (options.rename?.[parameter] ?? parameter);
    return options.chatMembers?.includes(theirs) ?? true;
  },

  toRequest(upstream, call) {
    const { omit, rename, streamUsage = true, maxTokensMember = "max_tokens" } = upstream.options;
    const { publicApi = false, chatMembers, callIds } = upstream.options;
    const sent = Object.entries(call.body).filter(([name, value]) => publicApi || !isForGateway(name, value));
    const members: JsonObject = { ...Object.fromEntries(sent), model: call.model, stream: call.stream };
    for (const name of maximumMembers) delete members[name];
    delete members["stream_options"];
    // xAI would defer the work, and return the answer to a later request.
    delete members["deferred"];
    // The gateway meters every stream, whether or not the caller asked for usage.
    if (call.stream && streamUsage) members["stream_options"] = { include_usage: true };
    if (!publicApi) delete members["reasoning"];
    for (const [name, theirs] of Object.entries(rename ?? {})) {
      if (!(name in members)) continue;
      members[theirs] ??= members[name];
      delete members[name];
    }
    if (!publicApi && chatMembers === undefined) members["messages"] = withThoughts(members["messages"], call.model);
    if (callIds !== undefined) members["messages"] = withCallIds(members["messages"], callIds);
    for (const name of omit ?? []) delete members[name];
    const taken = publicApi
      ? members
      : asModelTakes(members, rowOf(upstream, call.model), {
          wanted: readReasoning(call.body),
          ceiling: call.maxTokens ?? call.maxOutputTokens ?? plainCeiling,
          supported: call.supported ?? null,
        });
    if (call.maxTokens !== null) taken[maxTokensMember] = call.maxTokens;
    const known = chatMembers === undefined ? taken : strict(taken, [...chatMembers, maxTokensMember]);
    return {
      method: "POST",
      url: operationUrl(upstream, "chat/completions", call.model),
      headers: headers(upstream, call.stream ? "text/event-stream" : "application/json"),
      body: JSON.stringify(known),
    };
  },

  *readAnswer(body) {
    const answer = objectOf(body);
    if (!hasChoices(answer) || answer.choices.length === 0) throw new BadAnswer("the answer has no choices");
    const result = { ...answer, choices: answer.choices.map(withMessage) };
    const silent = result.choices.findIndex(({ message }) => !isObject(message));
    if (silent !== -1) throw new BadAnswer(`choices.${silent} has no message`);
    return { result: yield* publicResult(result), usage: usageIn(result) };
  },

  readUsage: (body) => usageIn(objectOf(body)),

  reader() {
    const normalize = chunkNormalizer();
    let tier: unknown;
    return {
      read({ data }) {
        if (data === "[DONE]") return [{ type: "done" }];
        const chunk = objectOf(data);
        tier = chunk["service_tier"] ?? tier;
        return readChunk(chunk, tier, normalize);
      },
    };
  },
};

const rowOf = ({ thinking }: Upstream, model: string) => thinking?.find(({ models }) => models.test(model));

/** The answer length assumed without a maximum: a thinking budget is a share of it. */
const plainCeiling = 16_384;

function strict(members: JsonObject, chatMembers: readonly string[]): JsonObject {
  const known = pick(members, chatMembers);
  return { ...known, messages: strictMessages(known["messages"]) };
}

function hasChoices(value: JsonObject): value is ChatObject {
  const { choices } = value;
  return Array.isArray(choices) && objectsIn(choices).length === choices.length;
}

/** Some servers answer in the form of completions, as streams are read too. */
function withMessage(choice: JsonObject): JsonObject {
  const { message, text, ...rest } = choice;
  return isObject(message) || typeof text !== "string"
    ? choice
    : { ...rest, message: { role: "assistant", content: text } };
}

const usageIn = (answer: JsonObject) => readOpenAiUsage(answer["usage"], answer["service_tier"]);

/** @param tier what a chunk of the stream said last */
function readChunk(
  chunk: JsonObject,
  tier: unknown,
  normalize: (chunk: ChatObject) => ChatObject,
): readonly ChatEvent[] {
  const error = chunk["error"] ?? errorIn(chunk);
  if (error !== null) return [{ type: "error", failure: failureWithin(error) }];
  const events: ChatEvent[] = [];
  const usage = readOpenAiUsage(usageOf(chunk), tier);
  if (hasChoices(chunk) && chunk.choices.length > 0) events.push({ type: "chunk", chunk: normalize(chunk) });
  if (usage) events.push({ type: "usage", usage });
  return events;
}

/**
 * Most vendors send usage next to the choices; Groq in `x_groq`, Moonshot and older Mistral models in the last choice.
 */
function usageOf(chunk: JsonObject): unknown {
  const { x_groq: groq, choices } = chunk;
  const last: unknown = Array.isArray(choices) ? choices.at(-1) : null;
  return chunk["usage"] ?? (isObject(groq) ? groq["usage"] : null) ?? (isObject(last) ? last["usage"] : null);
}
