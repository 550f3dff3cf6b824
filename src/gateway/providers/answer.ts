import { fitsInto } from "../json-weight.ts";
import { isTooDeep, longestText, mostLevels } from "../read-json.ts";
import { type AnswerBody, BadAnswer, type Usage } from "./provider.ts";

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws BadAnswer when it is not a JSON object */
export function objectOf(body: AnswerBody): JsonObject {
  if (typeof body === "string") return parseObject(body);
  if (!isObject(body.parsed)) throw new BadAnswer("the answer is not a JSON object");
  return body.parsed;
}

/** @throws BadAnswer when the text is not a JSON object */
function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new BadAnswer("the answer is not a JSON object");
  return value;
}

/** @throws BadAnswer when the text is not JSON */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadAnswer(text === "" ? "the answer is empty" : "the answer is not JSON");
  }
  if (isTooDeep(value)) throw new BadAnswer(`the answer is nested deeper than ${mostLevels} levels`);
  return value;
}

/** A count as vendors give them; null for anything else than a whole number of 0 or more. */
export function readCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Choices, parts, calls and images in an answer that are read in one go. */
const mostEntries = 4_096;
/** All tool calls in an answer that are not text yet: more than that could not be sent back either. */
const mostArguments = 1_048_576;

/** The objects of a list; none if it is not a list. @throws BadAnswer when there are more than any model makes */
export function objectsIn(list: unknown): JsonObject[] {
  if (!Array.isArray(list)) return [];
  if (list.length > mostEntries) throw new BadAnswer(`the answer holds a list of more than ${mostEntries} entries`);
  return list.filter(isObject);
}

/** The same of a list in a request, whose length is no fault of the provider. */
export const objectsOf = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : []);

/** @throws BadAnswer when the tool calls' arguments are so large that writing them would take long */
export function refuseVastArguments(calls: readonly unknown[]): void {
  const unwritten = calls.filter((given) => typeof given !== "string");
  if (fitsInto(unwritten, mostArguments)) return;
  throw new BadAnswer("the answer calls tools with more than 1 MB");
}

/** The texts of an answer's parts as one. @throws BadAnswer when several are together longer than one text may be */
export function joinTexts(texts: readonly string[]): string {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (texts.length > 1 && length > longestText) {
    throw new BadAnswer(`the answer has parts with more than ${longestText} characters of text`);
  }
  return texts.join("");
}

export function readText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The name of a type for people. What should be a text may be an object, of which not every one can be made a text. */
export function typeName(value: unknown): string {
  return readText(value)?.slice(0, 100) ?? "none";
}

/** @throws BadAnswer when it is not a list of models with their names in `member` */
export function modelNames(list: unknown, member: "id" | "name" | "model_id"): string[] {
  if (!Array.isArray(list)) throw new BadAnswer("the answer holds no list of models");
  const names = list.flatMap((entry) => (isObject(entry) ? (readText(entry[member]) ?? []) : []));
  if (list.length > 0 && names.length === 0) throw new BadAnswer("the answer's list holds no models");
  return names;
}

/**
 * Usage in OpenAI's form, from an embeddings answer, a chat result or a stream's last chunk.
 * @param tier the `service_tier` next to it
 */
export function readOpenAiUsage(value: unknown, tier?: unknown): Usage | null {
  if (!isObject(value)) return null;
  const total = readCount(value["total_tokens"]);
  const prompt = readCount(value["prompt_tokens"]);
  const completion = readCount(value["completion_tokens"]) ?? 0;
  // Voyage only gives total_tokens.
  const promptTokens = "prompt_tokens" in value ? prompt : total;
  if (promptTokens === null || ("completion_tokens" in value && readCount(value["completion_tokens"]) === null))
    return null;
  const details = { of: value, prompt: value["prompt_tokens_details"], completion: value["completion_tokens_details"] };
  // Perplexity's deep research bills what it cites like what it reads, and counts it in no total.
  const cited = readCount(value["citation_tokens"]) ?? 0;
  return {
    promptTokens: promptTokens + cited,
    ...thoughtsIn(details, { prompt: promptTokens, completion, total: "completion_tokens" in value ? total : null }),
    ...cachedIn(value),
    ...firstOf("cacheWriteTokens", details.prompt, [
      "cache_write_tokens",
      "cache_creation_input_tokens",
      "cache_creation_tokens",
    ]),
    ...detail("audioTokens", details.prompt, "audio_tokens"),
    ...detail("audioOutputTokens", details.completion, "audio_tokens"),
    ...detail("imageOutputTokens", details.completion, "image_tokens"),
    ...detail("imageTokens", details.prompt, "image_tokens"),
    ...billIn(value),
    ...searchesIn(value),
    ...(typeof tier === "string" ? { tiers: [tier] } : {}),
  };
}

interface Counted {
  readonly prompt: number;
  readonly completion: number;
  readonly total: number | null;
}

/**
 * All that a model wrote, whether or not the vendor counts its thoughts there. xAI and Gemini count them in the total
 * alone, Perplexity's deep research in no other count; what a vendor reports as reasoning bounds what is added.
 */
export function thoughtsIn(
  { of, completion: details }: { readonly of: JsonObject; readonly completion: unknown },
  { prompt, completion, total }: Counted,
): Pick<Usage, "completionTokens" | "reasoningTokens"> {
  const detailed = isObject(details) ? readCount(details["reasoning_tokens"]) : null;
  const reported = detailed ?? readCount(of["reasoning_tokens"]);
  const uncounted = Math.max(0, (total ?? 0) - prompt - completion);
  // Thoughts longer than the completion cannot be a part of it.
  const isSeparate = reported !== null && (reported > completion || (detailed === null && "citation_tokens" in of));
  const added = isSeparate ? reported : Math.min(uncounted, reported ?? uncounted);
  const reasoning = reported ?? added;
  return {
    completionTokens: completion + added,
    ...(reported !== null || reasoning > 0 ? { reasoningTokens: reasoning } : {}),
  };
}

/** https://docs.perplexity.ai/getting-started/pricing, and https://docs.x.ai/docs/guides/live-search: for each source */
const searchFees = { num_search_queries: 5_000_000, num_sources_used: 25_000_000 };

function searchesIn(usage: JsonObject): Pick<Usage, "searchNanoUsd"> {
  const fees = Object.entries(searchFees).map(([member, fee]) => (readCount(usage[member]) ?? 0) * fee);
  const searchNanoUsd = fees.reduce((sum, fee) => sum + fee, 0);
  return searchNanoUsd > 0 && Number.isSafeInteger(searchNanoUsd) ? { searchNanoUsd } : {};
}

/** What the vendor says it bills, in USD: the public API; Perplexity, with its fee for the request; xAI in ticks. */
export function billIn(usage: JsonObject): Pick<Usage, "billedNanoUsd" | "upstreamNanoUsd"> {
  const { cost, cost_in_usd_ticks: ticks, cost_details: details } = usage;
  const upstream = isObject(details) ? details["upstream_inference_cost"] : null;
  const ofKey = usage["is_byok"] === true ? upstream : 0;
  const said = isObject(cost) ? cost["total_cost"] : cost;
  const usd = typeof said === "number" ? said + (typeof ofKey === "number" ? ofKey : 0) : null;
  const nano = usd === null ? (readCount(ticks) ?? 0) / ticksPerNano : usd * 1e9;
  const billed = wholeNano(nano);
  const upstreamNano = typeof upstream === "number" ? wholeNano(upstream * 1e9) : null;
  return {
    ...(billed === null || billed === 0 ? {} : { billedNanoUsd: billed }),
    ...(upstreamNano === null ? {} : { upstreamNanoUsd: upstreamNano }),
  };
}

function wholeNano(nano: number): number | null {
  const whole = Math.ceil(Number(nano.toFixed(3)));
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : null;
}

/** https://docs.x.ai/developers/rest-api-reference/inference/chat: ten billion to the dollar */
const ticksPerNano = 10;

/**
 * Tokens that were read from the vendor's cache, by each vendor's name: OpenAI and most; DeepSeek (hits); Moonshot,
 * Together and Mistral beside the other counts.
 * https://api-docs.deepseek.com/guides/kv_cache, https://platform.moonshot.ai/docs/api/chat
 */
function cachedIn(usage: JsonObject): Partial<Usage> {
  for (const details of ["prompt_tokens_details", "prompt_token_details", "input_tokens_details"]) {
    const found = firstOf("cachedTokens", usage[details], [
      "cached_tokens",
      "cache_read_input_tokens",
      "cache_read_tokens",
    ]);
    if (found.cachedTokens !== undefined) return found;
  }
  const names = ["prompt_cache_hit_tokens", "cached_tokens", "num_cached_tokens", "cache_read_input_tokens"];
  return firstOf("cachedTokens", usage, [...names, "cached_prompt_tokens", "cached_prompt_text_tokens"]);
}

/** The first count that is there. */
function firstOf(
  name: "cachedTokens" | "cacheWriteTokens",
  details: unknown,
  members: readonly string[],
): Partial<Usage> {
  for (const member of members) {
    const found = detail(name, details, member);
    if (found[name] !== undefined) return found;
  }
  return {};
}

/** A count that some answers have in a member of its own. */
export function detail(name: Exclude<keyof Usage, "tiers">, details: unknown, member: string): Partial<Usage> {
  const count = isObject(details) ? readCount(details[member]) : null;
  return count === null ? {} : { [name]: count };
}
