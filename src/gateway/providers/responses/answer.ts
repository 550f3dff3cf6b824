import { isObject, joinTexts, objectOf, objectsIn, readText, type JsonObject } from "../answer.ts";
import { chatResult, completion, origin, type FinishReason, type ToolCallOut } from "../chat-object.ts";
import { failureWithin } from "../failure.ts";
import { type AnswerBody, BadAnswer, type ChatAnswer } from "../provider.ts";
import { readUsage } from "./usage.ts";

/** A whole answer: https://platform.openai.com/docs/api-reference/responses/object. @throws BadAnswer */
export function* readAnswer(body: AnswerBody): Generator<void, ChatAnswer, void> {
  const response = objectOf(body);
  const status = readText(response["status"]) ?? "completed";
  if (status === "failed") throw new BadAnswer(`the answer failed: ${failureWithin(response["error"]).message}`);
  if (!Array.isArray(response["output"])) throw new BadAnswer("the answer has no output");
  if (!finished.has(status)) throw new BadAnswer(`the answer is not finished but ${status.slice(0, 100)}`);
  const said = yield* saidIn(objectsIn(response["output"]));
  const choice = chatResult({
    content: said.content,
    reasoning: said.reasoning,
    toolCalls: said.calls,
    images: said.images,
    finish: finishReason(response, said.calls.length > 0),
    nativeFinish: nativeFinish(response),
  });
  if (said.refusal !== "") (choice["message"] as JsonObject)["refusal"] = said.refusal;
  if (said.tokens.length > 0) choice["logprobs"] = logprobsOf(said.tokens);
  const usage = readUsage(response["usage"], response["service_tier"]);
  return { result: { ...completion([choice], usage), ...origin(response) }, usage };
}

const finished = new Set(["completed", "incomplete"]);

interface SaidItems {
  readonly content: string | null;
  readonly refusal: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCallOut[];
  readonly images: readonly JsonObject[];
  /** the text's, with their probabilities, where these were asked for */
  readonly tokens: readonly unknown[];
}

const itemsAtOnce = 64;

function* saidIn(items: readonly JsonObject[]): Generator<void, SaidItems, void> {
  const texts: string[] = [];
  const refusals: string[] = [];
  const thoughts: string[] = [];
  const calls: ToolCallOut[] = [];
  const images: JsonObject[] = [];
  const tokens: unknown[][] = [];
  for (const [at, item] of items.entries()) {
    if (at % itemsAtOnce === 0) yield;
    const { type, content, summary } = item;
    if (type === "message") {
      for (const part of objectsIn(content)) {
        if (typeof part["text"] === "string") texts.push(part["text"]);
        if (typeof part["refusal"] === "string") refusals.push(part["refusal"]);
        if (Array.isArray(part["logprobs"])) tokens.push(part["logprobs"]);
      }
    } else if (type === "reasoning") {
      for (const part of [...objectsIn(summary), ...objectsIn(content)]) thoughts.push(readText(part["text"]) ?? "");
    } else if (isCall(item)) calls.push(calledIn(item));
    else images.push(...imageIn(item));
  }
  return {
    content: texts.length === 0 ? null : joinTexts(texts),
    refusal: joinTexts(refusals),
    reasoning: joinTexts(thoughts),
    calls,
    images,
    tokens: tokens.flat(),
  };
}

/** The probabilities of a text's tokens, in the public form. */
export const logprobsOf = (tokens: readonly unknown[]): JsonObject => ({ content: tokens, refusal: null });

/** An image that a provider's tool made, in the public form. */
export function imageIn({ type, result, output_format: format }: JsonObject): JsonObject[] {
  if (type !== "image_generation_call" || typeof result !== "string" || result === "") return [];
  const url = `data:image/${readText(format) ?? "png"};base64,${result}`;
  return [{ type: "image_url", image_url: { url } }];
}

/** Whether an item calls a tool that the caller runs. */
export const isCall = ({ type }: JsonObject): boolean => type === "function_call" || type === "custom_tool_call";

/** A call of a tool; a custom one has text where a function has JSON. */
export function calledIn({ call_id: id, name, arguments: given, input }: JsonObject): ToolCallOut {
  return { id: readText(id) ?? "", name: readText(name) ?? "", arguments: readText(given) ?? readText(input) ?? "" };
}

/** Why an answer ended, in the public form. */
export function finishReason(response: JsonObject, calls: boolean): FinishReason {
  if (response["status"] !== "incomplete") return calls ? "tool_calls" : "stop";
  return incompleteReason(response) === "content_filter" ? "content_filter" : "length";
}

export const nativeFinish = (response: JsonObject): string | null =>
  incompleteReason(response) ?? readText(response["status"]);

function incompleteReason({ incomplete_details: details }: JsonObject): string | null {
  return isObject(details) ? readText(details["reason"]) : null;
}
