import type { Candidate } from "../../domain/routing/routing.ts";
import { isObject } from "../../providers/answer.ts";
import { imageAddress, isImagePart, readDataUrl } from "../../providers/messages.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
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

/** Ways to ask for several answers, `n` and `best_of` aside, which have a price: in snake case or camel case. */
const severalAnswers =
  /^(n|best_?of|(n|num|number_?of)_?(return_?)?(candidates|completions|generations|sequences|samples|choices|outputs|answers|responses|results|beams)|(candidate|completion|generation|sequence|sample|choice|output|answer|response|beam)s?_?(count|num)|beam_?(size|width))$/i;
/** Members that hold what a model reads, and the two that have a price. */
const notSettings = new Set(["messages", "tools", "response_format", "metadata", "prediction", "n", "best_of"]);

/** Tiers that cost at most what the model's price says. */
const plainTiers = new Set<unknown>([
  undefined,
  null,
  "auto",
  "default",
  "flex",
  "on_demand",
  "standard_only",
  "batch",
]);

/** `fast` costs several times the model's price. */
const plainSpeeds = new Set<unknown>([undefined, null, "standard"]);

type Part = Readonly<Record<string, unknown>>;

/**
 * The part of a call that a vendor bills at a price unknown here, for each candidate: only what its dialect sends on
 * counts. Null: none.
 */
export function unpricedExtra({ body, messages }: ChatRequest): (candidate: Candidate) => string | null {
  const several = Object.keys(body).filter(
    (member) => !notSettings.has(member) && asksForSeveral(member, body[member]),
  );
  const members = [...feeMembers.filter((member) => isAsked(body[member])), ...several];
  const tier = plainTiers.has(body["service_tier"]) ? null : "service_tier";
  const { modalities } = body;
  const more = Array.isArray(modalities) && modalities.some((each) => each !== "text") ? "modalities" : null;
  const speed = plainSpeeds.has(body["speed"]) ? [] : ["speed"];
  const named = [...members, ...speed, ...(tier === null ? [] : [tier]), ...(more === null ? [] : [more])];
  const tool = [body["tools"]].flat().find(isVendorsTool);
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []));
  const sound = parts.some(isSound) || messages.some(({ audio }) => isObject(audio));
  const remote = parts.some(isRemote);

  return ({ provider }) => {
    const dialect = adapters[provider.kind]?.chat;
    const member = named.find((each) => dialect?.takes(toUpstream(provider), each) === true);
    if (member !== undefined) return member;
    // The other dialects pass on functions alone.
    const passesTools = provider.kind === "openai-compatible" || provider.kind === "cohere";
    if (tool !== undefined && passesTools) return `a tool of type ${String(tool["type"])}`;
    if (sound) return "sound";
    // It may be a video or audio, for which Google charges more.
    if (remote && provider.kind === "gemini") return "a file that Google fetches by its address";
    return null;
  };
}

function isAsked(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** Whether a member asks for more than one answer, at any depth: `generationConfig.candidateCount`. */
function asksForSeveral(name: string, value: unknown): boolean {
  if (typeof value === "number" || typeof value === "string")
    // The cheapest first, since a body holds a hundred thousand of them: a text of megabytes is not read as a number.
    return isSeveral(value) && isName(name) && severalAnswers.test(name);
  if (typeof value !== "object" || value === null) return false;
  // A list's places are no names.
  if (Array.isArray(value)) return value.some((each) => typeof each === "object" && asksForSeveral("", each));
  // Not the entries: the pairs take three times as long.
  return Object.keys(value).some((member) => asksForSeveral(member, (value as Part)[member]));
}

const isSeveral = (value: number | string) =>
  typeof value === "number" ? value > 1 : value.length > 400 || Number(value) > 1;

/** The longest that is meant, `num_return_sequences`, and half as much. */
const isName = (name: string) => name.length <= 32;

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
