import type { Written } from "../../domain/ledger/price.ts";
import type { CatalogModel } from "../../domain/routing/catalog.ts";
import { isObject } from "../../providers/answer.ts";
import { imageAddress, isImagePart, maximumMembers, readDataUrl } from "../../providers/messages.ts";
import type { Usage } from "../../providers/provider.ts";
import type { Turn } from "../../turns.ts";
import type { Output } from "./output.ts";
import type { PromptSize } from "./passed-request.ts";
import type { ChatRequest } from "./request.ts";
import { bytesOf } from "../json-bytes.ts";

/**
 * The most that a chat call can be billed for, judging by its request alone. A tokenizer gives at most one token per
 * byte of UTF-8, so the bytes of everything that is sent bound the prompt, in whichever members they are.
 */
export interface ChatBounds {
  /** the most tokens that the prompt can have */
  promptTokens(model: Lengths): number;
  /** the `max_tokens` sent to the vendor; null: none, because the caller named none and no limit counts the call */
  told(model: Lengths): number | null;
  /** the most tokens that all choices can have; with so many for each, or with the maxima that are sent */
  completionTokens(model: Lengths, perChoice?: number): number;
  /**
   * The most that a call can have cost that was abandoned before its end.
   * @param writtenBytes of the output so far
   * @param counted the usage that the vendor has reported so far
   * @param silentMs how long it worked without output, before the first word or later: a model may reason invisibly
   */
  leftBehind(model: Lengths, writtenBytes: number, counted: Usage | null, silentMs: number): Usage;
  /** The most that an unread whole answer can have cost, after the vendor worked on it for this long. */
  unread(model: Lengths, workedMs: number): Usage;
  /**
   * What of the prompt was written to the vendor's cache, which costs more than the prompt's price.
   * @param usage default: the most possible
   */
  written(model: Lengths, usage?: Usage): Written;
  /**
   * The plausible part of a vendor's usage: no more prompt than was sent, no more answer than was allowed or received,
   * and of an implausible prompt nothing at the lower price of what was cached.
   */
  believable(usage: Usage, model: Lengths, produced: Output): Usage;
}

/** The tiers of a call whose vendor has not said which it applied. */
export const unknownTiers: readonly string[] = ["unknown"];

type Lengths = Pick<CatalogModel, "contextLength" | "maxCompletionTokens"> & Partial<Pick<CatalogModel, "prices">>;

/** Tokens that a vendor puts around each message. */
const aroundMessage = 8;
/** Tokens of a vendor's own instructions for tools, forms of answers and modes; Anthropic documents up to 700. */
const aroundInstructions = 1_024;
/** The most tokens that a vendor documents for one image: gpt-4o-mini, 2,833 and 5,667 for each of eight tiles. */
const tokensPerImage = 49_152;
/** The context of a model that does not state it. */
const assumedContext = 2_097_152;
/** The longest answer of a model that states neither it nor its context. */
const assumedAnswer = 16_384;
/** Vendors that hide their reasoning write no faster than this: tokens per second of one answer. */
const hiddenTokensPerSecond = 250;
/** No model writes faster. The fastest vendors give 2,000 to 3,000 tokens a second. */
const mostTokensPerSecond = 5_000;

/** @param limited whether a limit counts the call, so that money is reserved for the `max_tokens` that is sent */
export async function boundsOf(request: ChatRequest, limited: boolean, turn: Turn): Promise<ChatBounds> {
  const { body, choices, maxTokens, settings, passed } = request;
  const translated = await measure(body, turn);
  const size = passed === null ? translated : larger(translated, passed.size);
  const prediction = isObject(body["prediction"]) ? bytesOf(body["prediction"]) : 0;
  const around = aroundMessage * (request.messages.length + 2) + (size.instructed ? aroundInstructions : 0);
  const most = size.bytes + around + size.images * tokensPerImage;

  function promptTokens({ contextLength }: Lengths): number {
    if (size.wholeContext) return contextLength ?? assumedContext;
    return contextLength === null ? most : Math.min(most, contextLength);
  }

  function written(model: Lengths, usage?: Usage): Written {
    const most = promptTokens(model);
    const tokens = usage === undefined ? most : Math.min(usage.cacheWriteTokens ?? 0, most);
    const { cacheWriteSurcharge: longest } = size;
    const surcharge = Math.min(longest, briefSurcharge);
    const forHour = usage?.hourCacheWriteTokens ?? (longest > surcharge ? tokens : 0);
    return { tokens, forHour, surcharge, hourSurcharge: longest };
  }

  function told(model: Lengths): number | null {
    if (maxTokens !== null || !limited) return maxTokens;
    if (model.maxCompletionTokens !== null) return model.maxCompletionTokens;
    if (model.contextLength === null) return assumedAnswer;
    // Vendors refuse a prompt and an answer that together exceed the context.
    const left = Math.max(model.contextLength - promptTokens(model), Math.ceil(model.contextLength / 4));
    return Math.min(assumedAnswer, left);
  }

  /** With the length that members ask for which are passed on: a vendor may use any of them. */
  function longestTold(model: Lengths): number | null {
    const most = told(model);
    if (most === null) return most;
    const asked = Math.max(most, settings.longest?.tokens ?? 0) + (settings.thinking?.tokens ?? 0);
    return Math.max(most, Math.min(asked, model.contextLength ?? assumedContext));
  }

  function completionTokens(model: Lengths, perChoice = longestTold(model)): number {
    const each = perChoice ?? Math.max(model.maxCompletionTokens ?? 0, model.contextLength ?? assumedContext);
    // A wrong prediction is billed like an answer: https://platform.openai.com/docs/guides/predicted-outputs
    return choices * (each + prediction);
  }

  const guessed = choices * prediction;

  function atMost(model: Lengths, written: number, counted: Usage | null): Usage {
    const most = promptTokens(model);
    const completion = Math.min(written, completionTokens(model));
    return {
      ...(counted ?? { promptTokens: most, cacheWriteTokens: most, tiers: unknownTiers }),
      // All of it may be images.
      ...(model.prices?.imageOutput != null && { imageOutputTokens: completion }),
      completionTokens: completion,
    };
  }

  return {
    promptTokens,
    written,
    told,
    completionTokens,
    leftBehind(model, writtenBytes, counted, silentMs) {
      const hidden = Math.ceil((choices * silentMs * hiddenTokensPerSecond) / 1_000);
      return atMost(model, Math.max(writtenBytes + hidden + guessed, counted?.completionTokens ?? 0), counted);
    },
    unread(model, workedMs) {
      return atMost(model, choices * Math.ceil((workedMs * mostTokensPerSecond) / 1_000) + guessed, null);
    },
    believable(usage, model, produced) {
      const prompt = promptTokens(model);
      const completion = Math.max(completionTokens(model), produced.bytes);
      const isPrompt = usage.promptTokens <= prompt && (usage.cachedTokens ?? 0) <= usage.promptTokens;
      if (isPrompt && usage.completionTokens <= completion) return usage;
      const { cachedTokens, cacheWriteTokens, hourCacheWriteTokens, reasoningTokens, imageOutputTokens } = usage;
      const { tiers, billedNanoUsd, upstreamNanoUsd, searchNanoUsd, audioTokens, audioOutputTokens } = usage;
      return {
        ...(tiers === undefined ? {} : { tiers }),
        ...(billedNanoUsd === undefined ? {} : { billedNanoUsd }),
        ...(upstreamNanoUsd === undefined ? {} : { upstreamNanoUsd }),
        ...(searchNanoUsd === undefined ? {} : { searchNanoUsd }),
        ...(audioTokens === undefined ? {} : { audioTokens: Math.min(audioTokens, prompt) }),
        ...(audioOutputTokens === undefined ? {} : { audioOutputTokens: Math.min(audioOutputTokens, completion) }),
        promptTokens: Math.min(usage.promptTokens, prompt),
        completionTokens: Math.min(usage.completionTokens, completion),
        ...(cachedTokens === undefined ? {} : { cachedTokens: isPrompt ? cachedTokens : 0 }),
        ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens: Math.min(cacheWriteTokens, prompt) }),
        ...(hourCacheWriteTokens === undefined ? {} : { hourCacheWriteTokens: Math.min(hourCacheWriteTokens, prompt) }),
        ...(imageOutputTokens === undefined ? {} : { imageOutputTokens: Math.min(imageOutputTokens, completion) }),
        ...(reasoningTokens === undefined ? {} : { reasoningTokens: Math.min(reasoningTokens, completion) }),
      };
    },
  };
}

/** Whether a member that makes a provider do more is there, and asks for something. */
export function isAsked(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

function larger(one: PromptSize, other: PromptSize): PromptSize {
  return {
    bytes: Math.max(one.bytes, other.bytes),
    images: Math.max(one.images, other.images),
    instructed: one.instructed || other.instructed,
    wholeContext: one.wholeContext || other.wholeContext,
    cacheWriteSurcharge: Math.max(one.cacheWriteSurcharge, other.cacheWriteSurcharge),
  };
}

/** Members that make a vendor add text to the prompt: search results, or the output of a template. */
const expanding = ["web_search_options", "search_parameters", "plugins", "data_sources", "chat_template"];
/** Members for which vendors add instructions. */
const instructing = ["response_format", "safe_prompt", "prompt_mode", "guardrails"];
/** Parts that are nothing but their text. */
const textParts = new Set<unknown>(["text", "refusal", "thinking", "redacted_thinking"]);

/** Members that configure the vendor and are not read by its model. */
const steering = new Set<string>([...maximumMembers, "model", "stream", "n", "best_of"]);

async function measure(body: ChatRequest["body"], turn: Turn): Promise<PromptSize> {
  const isGiven = (member: string) => body[member] !== undefined && body[member] !== null;
  const read = Object.fromEntries(Object.entries(body).filter(([name]) => !steering.has(name)));
  const messages = Array.isArray(body["messages"]) ? body["messages"].filter(isObject) : [];
  const prediction = isObject(body["prediction"]) ? [body["prediction"]] : [];
  let images = 0;
  let inlineBytes = 0;
  let wholeContext = expanding.some(isGiven);
  for (const message of [...messages, ...prediction]) {
    // Audio of an earlier answer that the vendor keeps is referenced by its id alone.
    if (isObject(message["audio"])) wholeContext = true;
    if (Array.isArray(message["images"])) images += message["images"].length;
    const parts = Array.isArray(message["content"]) ? message["content"].filter(isObject) : [];
    for (const part of parts) {
      if (!isImagePart(part)) {
        if (!textParts.has(part["type"])) wholeContext = true;
        continue;
      }
      images += 1;
      const address = imageAddress(part);
      const inline = readDataUrl(address);
      // An image inside the request is seen, not read as text. Vendors also take documents and videos there.
      if (inline?.mediaType.startsWith("image/")) inlineBytes += address.length;
      else if (inline !== null) wholeContext = true;
    }
  }
  const tools = Array.isArray(body["tools"]) ? body["tools"] : [];
  if (tools.some((tool) => !isObject(tool) || tool["type"] !== "function")) wholeContext = true;
  const surcharge = cacheWriteSurcharge(read);
  if (turn.isOver()) await turn.next();
  return {
    bytes: wholeContext ? 0 : bytesOf(read) - inlineBytes + (await rewrittenBytes(messages, turn)),
    images,
    instructed: tools.length > 0 || instructing.some(isGiven),
    wholeContext,
    cacheWriteSurcharge: surcharge,
  };
}

/** What dialects write at greater length than the caller did. */
async function rewrittenBytes(messages: readonly Readonly<Record<string, unknown>>[], turn: Turn): Promise<number> {
  let longestName = 0;
  let answers = 0;
  const read: string[] = [];
  for (const { role, content, tool_calls: calls } of messages) {
    if (role === "tool") {
      answers += 1;
      read.push(...textsIn(content));
    }
    for (const call of Array.isArray(calls) ? calls : []) {
      const called: unknown = isObject(call) ? call["function"] : null;
      if (!isObject(called)) continue;
      if (typeof called["name"] === "string") longestName = Math.max(longestName, Buffer.byteLength(called["name"]));
      read.push(...textsIn(called["arguments"]));
    }
  }
  let exponents = 0;
  for (const text of read) exponents += await countExponents(text, turn);
  // Google receives a tool's name with its answer.
  return exponents * digitsOfExponent + answers * longestName;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.flatMap((part) => (isObject(part) ? textsIn(part["text"]) : [])) : [];
}

/** Some vendors parse JSON within text and write it again: 1e20 becomes 21 digits. */
async function countExponents(text: string, turn: Turn): Promise<number> {
  let count = 0;
  for (let from = 0; from < text.length; from += checkEvery) {
    const to = Math.min(from + checkEvery, text.length);
    for (let at = from; at < to; at += 1) {
      const sign = text.charCodeAt(at);
      if ((sign !== smallE && sign !== largeE) || !isDigit(text.charCodeAt(at - 1))) continue;
      if (isDigit(text.charCodeAt(at + (text.charCodeAt(at + 1) === plus ? 2 : 1)))) count += 1;
    }
    if (turn.isOver()) await turn.next();
  }
  return count;
}

const smallE = 0x65;
const largeE = 0x45;
const plus = 0x2b;
const isDigit = (sign: number) => sign >= 0x30 && sign <= 0x39;
/** Characters between two checks of the clock. */
const checkEvery = 65_536;

const digitsOfExponent = 21;

const briefSurcharge = 25;
const hourSurcharge = 100;

/** https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching: 1.25 times the price for 5 minutes, twice for an hour. */
export function cacheWriteSurcharge(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((most, each) => Math.max(most, cacheWriteSurcharge(each)), 0);
  let most = 0;
  for (const name of Object.keys(value)) {
    const each = (value as Readonly<Record<string, unknown>>)[name];
    if (each === null) continue;
    if (name === "prompt_cache_options") most = hourSurcharge;
    else if (name === "cache_control")
      most = Math.max(most, isObject(each) && (each["ttl"] ?? "5m") === "5m" ? briefSurcharge : hourSurcharge);
    else most = Math.max(most, cacheWriteSurcharge(each));
  }
  return most;
}
