import type { ResponsesBody } from "#contract/responses.ts";
import { withMembers } from "../../json-members.ts";
import { isObject, typeName, type JsonObject } from "../../providers/answer.ts";
import { gatewayMembers } from "../../providers/gateway-members.ts";
import { readDataUrl } from "../../providers/messages.ts";
import { joinInTurns, type Turn } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import { cacheWriteSurcharge, isAsked } from "../chat/bounds.ts";
import type { PassedRequest, PromptSize } from "../chat/passed-request.ts";
import type { VendorSettings } from "../chat/settings.ts";
import { feesIn } from "../chat/unpriced-extra.ts";
import { addressesBeside, collect, type NamedAddress } from "../image-addresses.ts";
import { bytesOf } from "../json-bytes.ts";
import { unambiguous } from "../unambiguous-body.ts";
import { isCarried } from "../../carried-thought.ts";
import { hostedTools, isGiven, itemsOf, itemType, locatedParts, plainItems, textParts } from "./items.ts";
import { containerIn, keepingIn, referenceIn } from "./state.ts";

interface Native {
  readonly bytes: Buffer;
  /** what the bytes say */
  readonly json: JsonObject;
  readonly checked: ResponsesBody;
  readonly settings: VendorSettings;
  readonly untranslatable: string | null;
}

/** Members for the gateway, which no provider is sent. */
const ownMembers: ReadonlySet<string> = new Set(gatewayMembers);

/** What a provider of this dialect is sent. */
export async function passedRequest(native: Native, turn: Turn): Promise<PassedRequest> {
  const { json, checked, settings, untranslatable } = native;
  const { bytes, members } = await unambiguous(native.bytes, json, turn);
  // Most vendors refuse null, which says what leaving it out says.
  const dropped = members.members.filter(({ name }) => ownMembers.has(name) || json[name] === null);
  const items = itemsOf(json["input"]);
  const readable = await asJson(items.map(withoutCarried), items, turn);
  const strict = await asJson(items.filter(isReadable), items, turn);
  const hasMaximum = (checked.max_output_tokens ?? null) !== null;
  const size = sizeOf(json);
  if (turn.isOver()) await turn.next();
  const addresses = addressesIn(json);
  if (turn.isOver()) await turn.next();
  return {
    dialect: "responses",
    headers: {},
    json,
    write: ({ model, maxTokens, keeps, encrypts }) => {
      const changes = new Map<string, string | null>(dropped.map(({ name }) => [name, null]));
      changes.set("model", JSON.stringify(model));
      if (!hasMaximum && maxTokens !== null) changes.set("max_output_tokens", String(maxTokens));
      // Such providers keep every answer unless they are asked not to; others know no null.
      if ((checked.store ?? null) === null) changes.set("store", keeps === null ? null : "false");
      // What is not kept there has to come with its content, or a caller could send nothing back of it.
      if (keeps === "items" && checked.store !== false && (encrypts || (encrypts !== false && isThinking(json)))) {
        changes.set("include", JSON.stringify(withThoughts(json["include"])));
      }
      const input = keeps === "items" ? strict : readable;
      if (input !== null) changes.set("input", input);
      return withMembers(bytes, members, changes);
    },
    size,
    addresses,
    unpriced: unpricedIn(json, settings),
    untranslatable,
    continues: checked.previous_response_id === "" ? null : (checked.previous_response_id ?? null),
    keeping: keepingIn(checked),
    reference: referenceIn(json["input"]),
    container: containerIn(json["input"]),
  };
}

const encryptedThoughts = "reasoning.encrypted_content";

function withThoughts(include: unknown): unknown[] {
  const asked: unknown[] = Array.isArray(include) ? include : [];
  return asked.includes(encryptedThoughts) ? asked : [...asked, encryptedThoughts];
}

const isThinking = ({ reasoning }: JsonObject) =>
  isObject(reasoning) && isAsked(reasoning["effort"]) && reasoning["effort"] !== "none";

/** A provider that keeps items refuses a thought of which it gets neither an id to look it up by nor its content. */
function isReadable(item: JsonObject): boolean {
  const { id, encrypted_content: data } = item;
  return itemType(item) !== "reasoning" || (!isCarried(data) && (isGiven(id) || isGiven(data)));
}

/** An item without what only the gateway reads, a thought of another vendor's. */
function withoutCarried(item: JsonObject): JsonObject {
  const { encrypted_content: data, ...rest } = item;
  return itemType(item) === "reasoning" && isCarried(data) ? rest : item;
}

/** The items as JSON; null where they are those that the caller sent. */
async function asJson(items: readonly JsonObject[], sent: readonly JsonObject[], turn: Turn): Promise<string | null> {
  if (items.length === sent.length && items.every((item, index) => item === sent[index])) return null;
  return (await joinInTurns(await writeJsonInTurns(items, turn), turn)).toString();
}

/** Members that configure the provider and are not read by its model. */
const steering = new Set([...gatewayMembers, "model", "stream", "max_output_tokens", "metadata", "store", "include"]);
/** Members that make a provider add text to the prompt, or read it again. */
const expanding = ["previous_response_id", "prompt", "context_management"];
/** Members for which a provider adds instructions. */
const instructing = ["tools", "text", "reasoning"];

function sizeOf(body: JsonObject): PromptSize {
  const read = Object.fromEntries(Object.entries(body).filter(([name]) => !steering.has(name)));
  let images = 0;
  let inlineBytes = 0;
  let wholeContext =
    expanding.some((member) => isAsked(body[member])) ||
    hostedTools(body).length > 0 ||
    itemsOf(body["input"]).some((item) => !plainItems.has(itemType(item)));
  for (const { part } of locatedParts(body)) {
    if (part["type"] !== "input_image") {
      wholeContext ||= !textParts.has(part["type"]);
      continue;
    }
    images += 1;
    const { image_url: address } = part;
    const inline = typeof address === "string" ? readDataUrl(address) : null;
    // An image inside the request is seen, not read as text. What an id stands for may be a document.
    if (inline?.mediaType.startsWith("image/") === true) inlineBytes += (address as string).length;
    else wholeContext ||= inline !== null || typeof address !== "string";
  }
  return {
    bytes: wholeContext ? 0 : bytesOf(read) - inlineBytes,
    images,
    instructed: instructing.some((member) => isAsked(body[member])),
    wholeContext,
    cacheWriteSurcharge: cacheWriteSurcharge(read),
  };
}

/** Members that a provider never fetches, or that are searched part by part. */
const searched = new Set(["input", "instructions", "text", "tools", "metadata", "user", "trace"]);
/** Members of an item that are text, whatever they look like. */
const texts = new Set(["id", "call_id", "name", "arguments", "content", "summary", "encrypted_content", "signature"]);

/** Images and files that the provider fetches, and servers that it calls. */
function addressesIn(body: JsonObject): NamedAddress[] {
  const named = addressesBeside(body, searched, "text");
  for (const { part, path } of locatedParts(body)) {
    // An invalid address is refused here, not when it is fetched.
    if (typeof part["image_url"] === "string") named.push({ path: `${path}.image_url`, url: part["image_url"] });
    for (const [member, value] of Object.entries(part)) {
      if (member !== "text" && (member !== "image_url" || typeof value !== "string")) {
        collect(value, `${path}.${member}`, named);
      }
    }
  }
  itemsOf(body["input"]).forEach((item, index) => {
    const isPlain = plainItems.has(itemType(item));
    for (const [member, value] of Object.entries(item)) {
      const isText = texts.has(member) || (member === "output" && (isPlain || Array.isArray(value)));
      if (!isText) collect(value, `input.${index}.${member}`, named);
    }
  });
  return named;
}

/** `pro` reasons several times over. */
const plainModes = new Set<unknown>([undefined, null, "standard"]);

function unpricedIn(body: JsonObject, settings: VendorSettings): string[] {
  const [tool] = hostedTools(body);
  const { modalities, reasoning } = body;
  const isDear = isObject(reasoning) && !plainModes.has(reasoning["mode"]);
  const several = ["n", "best_of"].filter((member) => isAsked(body[member]) && body[member] !== 1);
  const more = Array.isArray(modalities) && modalities.some((each) => each !== "text");
  const sound = [...locatedParts(body)].some(({ part }) => /audio|video/.test(typeName(part["type"])));
  return [
    ...(tool === undefined ? [] : [`a tool of type ${typeName(tool["type"])}`]),
    // What it works on after its caller has left is counted nowhere.
    ...["background", "prompt", "context_management"].filter((member) => isAsked(body[member])),
    ...(isDear ? ["reasoning.mode"] : []),
    ...(more ? ["modalities"] : []),
    ...(sound ? ["sound"] : []),
    ...several,
    ...settings.unpriced,
    ...feesIn(body).filter((member) => !ownMembers.has(member)),
  ];
}
