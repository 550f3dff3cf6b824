import { publishedRatesOf } from "../../domain/ledger/published-rates.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { isObject, typeName } from "../../providers/answer.ts";
import { imageAddress, isImagePart, readDataUrl } from "../../providers/messages.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { isAsked } from "./bounds.ts";
import { passageTo } from "./passed.ts";
import type { ChatRequest } from "./request.ts";

/** Members that vendors bill at prices other than the model's: searches by the query, images by their size … */
const feeMembers = [
  "web_search_options",
  "search_parameters",
  "search_settings",
  "compound_custom",
  "enable_search",
  "data_sources",
  "plugins",
  // It may name another model.
  "preset",
  "fallbacks",
  "extra_body",
  "image_config",
  // Another client's options, which may name any of these.
  "providerOptions",
  "provider_options",
];

/** `fast` costs several times the model's price. */
const plainSpeeds = new Set<unknown>([undefined, null, "standard"]);

type Part = Readonly<Record<string, unknown>>;

/**
 * The part of a call that a vendor bills at a price unknown here, for each candidate: only what its dialect sends on
 * counts. Null: none.
 */
export function unpricedExtra(request: ChatRequest): (candidate: Candidate) => string | null {
  const { body, messages, settings, passed } = request;
  const members = [...feesIn(body), ...settings.unpriced];
  const { modalities } = body;
  const more = Array.isArray(modalities) && modalities.some((each) => each !== "text") ? "modalities" : null;
  const drawsAlone = Array.isArray(modalities) && modalities.every((each) => each === "text" || each === "image");
  const speed = plainSpeeds.has(body["speed"]) ? [] : ["speed"];
  const named = [...members, ...speed, ...(more === null ? [] : [more])];
  const tool = [body["tools"]].flat().find(isVendorsTool);
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []));
  const sound = parts.some(isSound) || messages.some(({ audio }) => isObject(audio));
  const remote = parts.some(isRemote);

  return (candidate) => {
    if (passed !== null && passageTo(candidate, request) !== null) return passed.unpriced[0] ?? null;
    const { provider, model } = candidate;
    const { unbounded } = publishedRatesOf(model);
    if (unbounded !== null) return unbounded;
    const dialect = adapters[provider.kind]?.chat;
    // Images in the answer have a price by the token.
    const drawn = model.prices?.imageOutput == null || !drawsAlone ? [] : ["modalities", "image_config"];
    const member = named.find((each) => !drawn.includes(each) && dialect?.takes(toUpstream(provider), each) === true);
    if (member !== undefined) return member;
    // The other dialects pass on functions alone.
    const passesTools = provider.kind === "openai-compatible" || provider.kind === "cohere";
    if (tool !== undefined && passesTools) return `a tool of type ${typeName(tool["type"])}`;
    if (sound) return "sound";
    // It may be a video or audio, for which Google charges more.
    if (remote && provider.kind === "gemini") return "a file that Google fetches by its address";
    return null;
  };
}

export const feesIn = (body: Part): string[] => feeMembers.filter((member) => isAsked(body[member]));

function isVendorsTool(tool: unknown): tool is Part {
  return isObject(tool) && tool["type"] !== "function" && tool["type"] !== "custom";
}

function addressOf(part: Part): string {
  if (isImagePart(part)) return imageAddress(part);
  const file = isObject(part["file"]) ? part["file"] : {};
  return typeof file["file_data"] === "string" ? file["file_data"] : "";
}

function isSound(part: Part): boolean {
  if (/audio/.test(String(part["type"])) || isObject(part["input_audio"])) return true;
  return /^(audio|video)\//.test(readDataUrl(addressOf(part))?.mediaType ?? "");
}

function isRemote(part: Part): boolean {
  const address = addressOf(part);
  return address !== "" && readDataUrl(address) === null;
}
