import type { CallParameters, ParameterValue } from "../domain/ledger/parameters.ts";
import type { Candidate } from "../domain/routing/routing.ts";
import { isObject, readText, type JsonObject } from "../providers/answer.ts";
import { given, stopSequences } from "../providers/messages.ts";
import { readReasoning } from "../providers/reasoning.ts";

const numbers = [
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "top_a",
  "frequency_penalty",
  "presence_penalty",
  "repetition_penalty",
  "seed",
  "n",
  "top_logprobs",
] as const;
const flags = ["logprobs", "parallel_tool_calls"] as const;
const texts = ["service_tier", "verbosity"] as const;

/**
 * What steers a conversation's answer, for the call's record; null: nothing was asked for.
 * @param body in the public form
 */
export function chatParameters(body: Readonly<JsonObject>, maxTokens: number | null): CallParameters | null {
  const { response_format: format } = body;
  const reasoning = readReasoning(body);
  const stop = stopSequences(body["stop"]);
  const stops = Array.isArray(stop) ? stop.filter((text) => typeof text === "string") : [];
  return recorded({
    ...Object.fromEntries(numbers.map((name) => [name, Number.isFinite(body[name]) ? body[name] : null])),
    ...Object.fromEntries(flags.map((name) => [name, typeof body[name] === "boolean" ? body[name] : null])),
    ...Object.fromEntries(texts.map((name) => [name, readText(body[name])])),
    max_tokens: maxTokens,
    stop: stops.length === 0 ? null : stops,
    reasoning_effort: reasoning?.effort ?? null,
    reasoning_max_tokens: reasoning?.maxTokens ?? null,
    response_format: isObject(format) ? readText(format["type"]) : null,
  });
}

interface AskedVectors {
  readonly dimensions: number | null;
  readonly format: string;
  readonly inputType: string | null;
}

/** The same for vectors, whose length is that of the model where none was asked for. */
export function vectorParameters(
  { dimensions, format, inputType }: AskedVectors,
  served: Candidate | null,
): CallParameters | null {
  const length = dimensions ?? served?.model.dimensions;
  return recorded({ dimensions: length, encoding_format: format, input_type: inputType });
}

function recorded(parameters: Readonly<Record<string, unknown>>): CallParameters | null {
  const said = given(parameters) as Record<string, ParameterValue>;
  return Object.keys(said).length === 0 ? null : said;
}
