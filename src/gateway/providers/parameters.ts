import type { JsonObject } from "./answer.ts";
import type { VideoAbility } from "./provider.ts";
import { adapters, toUpstream, type UpstreamSettings } from "./registry.ts";

/** Parameters of the public API that a model record may name. */
const chatParameters = [
  "frequency_penalty",
  "include_reasoning",
  "logit_bias",
  "logprobs",
  "max_completion_tokens",
  "max_tokens",
  "min_p",
  "parallel_tool_calls",
  "presence_penalty",
  "reasoning",
  "reasoning_effort",
  "repetition_penalty",
  "response_format",
  "seed",
  "stop",
  "structured_outputs",
  "temperature",
  "tool_choice",
  "tools",
  "top_a",
  "top_k",
  "top_logprobs",
  "top_p",
];

/** Parameters without which a call means something else: a model that does not list them may still be asked. */
const meaningful: ReadonlySet<string> = new Set([
  "max_completion_tokens",
  "max_tokens",
  "response_format",
  "structured_outputs",
  "tool_choice",
  "tools",
]);
const ignorable = chatParameters.filter((parameter) => !meaningful.has(parameter));
const reasoningMembers = ["reasoning", "reasoning_effort", "include_reasoning"];

/**
 * A request without the parameters that a model's record does not list, which the public API ignores as well.
 * https://openrouter.ai/docs/api/reference/parameters
 * @param supported null: the record lists none, so that all may be taken
 */
export function onlySupported(body: Readonly<JsonObject>, supported: readonly string[] | null): Readonly<JsonObject> {
  if (supported === null) return body;
  const isListed = (name: string) =>
    reasoningMembers.includes(name)
      ? reasoningMembers.some((member) => supported.includes(member))
      : supported.includes(name);
  const left = ignorable.filter((name) => name in body && !isListed(name));
  return left.length === 0 ? body : Object.fromEntries(Object.entries(body).filter(([name]) => !left.includes(name)));
}

/** The chat parameters that reach a provider's models, according to its dialect. */
export function chatParametersOf(settings: UpstreamSettings): readonly string[] {
  const dialect = adapters[settings.kind]?.chat;
  if (!dialect) return [];
  const upstream = toUpstream(settings);
  return chatParameters.filter((parameter) => dialect.takes(upstream, parameter));
}

/** What a provider's dialect takes of a call for images. @param model the vendor's name of it */
export function imageAbilityOf(settings: UpstreamSettings, model: string) {
  const dialect = adapters[settings.kind]?.images;
  const upstream = toUpstream(settings);
  if (!dialect?.takes(upstream)) return { parameters: [], streams: false };
  return { parameters: dialect.parameters(upstream, model), streams: dialect.streams(upstream) };
}

/** What is known of a provider's video model; null: it makes none. @param model the vendor's name of it */
export function videoAbilityOf(settings: UpstreamSettings, model: string): VideoAbility | null {
  const dialect = adapters[settings.kind]?.videos;
  const upstream = toUpstream(settings);
  return dialect?.takes(upstream) ? dialect.ability(upstream, model) : null;
}
