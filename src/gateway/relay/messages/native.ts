import type { IncomingHttpHeaders } from "node:http";
import { withMembers } from "../../json-members.ts";
import { isObject, readCount, typeName, type JsonObject } from "../../providers/answer.ts";
import { gatewayMembers } from "../../providers/gateway-members.ts";
import type { Turn } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { Headers } from "../sent.ts";
import { cacheWriteSurcharge, isAsked } from "../chat/bounds.ts";
import type { PassedRequest, PromptSize } from "../chat/passed-request.ts";
import type { VendorSettings } from "../chat/settings.ts";
import { feesIn } from "../chat/unpriced-extra.ts";
import type { NamedAddress } from "../image-addresses.ts";
import { bytesOf } from "../json-bytes.ts";
import { unambiguous } from "../unambiguous-body.ts";
import { locatedBlocks, sourceOf } from "./blocks.ts";
import { withoutUnsigned } from "./unsigned.ts";

/** Members for the gateway, which no provider is sent: `user` and `fallbacks` are not of this dialect. */
const ownMembers: ReadonlySet<string> = new Set([...gatewayMembers, "fallbacks", "user"]);

interface Native {
  readonly bytes: Buffer;
  /** what the bytes say */
  readonly json: JsonObject;
  readonly headers: IncomingHttpHeaders;
  readonly settings: VendorSettings;
  readonly untranslatable: string | null;
}

/** What a provider of this dialect is sent. */
export async function passedRequest(native: Native, turn: Turn): Promise<PassedRequest> {
  const { json, settings, untranslatable } = native;
  const { bytes, members } = await unambiguous(native.bytes, json, turn);
  // Most vendors refuse null, which says what leaving it out says.
  const dropped = members.members.filter(({ name }) => ownMembers.has(name) || json[name] === null);
  const signed = withoutUnsigned(json["messages"]);
  const signedJson = signed === null ? null : Buffer.concat(await writeJsonInTurns(signed, turn)).toString();
  const hasMaximum = (readCount(json["max_tokens"]) ?? 0) > 0;
  return {
    dialect: "messages",
    headers: dialectHeaders(native.headers),
    json,
    write: ({ model, maxTokens, plainMaximum, checksSignatures }) => {
      const changes = new Map<string, string | null>(dropped.map(({ name }) => [name, null]));
      if (checksSignatures && signedJson !== null) changes.set("messages", signedJson);
      changes.set("model", JSON.stringify(model));
      if (!hasMaximum) changes.set("max_tokens", String(maxTokens ?? plainMaximum));
      return withMembers(bytes, members, changes);
    },
    size: sizeOf(json),
    addresses: addressesIn(json),
    unpriced: unpricedIn(json, settings),
    untranslatable,
    continues: null,
    keeping: null,
    reference: null,
    container: null,
  };
}

function dialectHeaders(headers: IncomingHttpHeaders): Headers {
  const names = ["anthropic-version", "anthropic-beta"];
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]]] : [])),
  );
}

/** Members that configure the provider and are not read by its model. */
const steering = new Set([...gatewayMembers, "model", "stream", "max_tokens", "metadata"]);
/** Members that make a provider add text to the prompt, or read it again. */
const expanding = ["mcp_servers", "container", "context_management"];
/** Members for which a provider adds instructions. */
const instructing = ["tools", "thinking", "output_config", "output_format"];
/** Blocks that are nothing but what they say. */
const plainBlocks = new Set<unknown>([
  "text",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "tool_result",
  "search_result",
  "server_tool_use",
  "web_search_tool_result",
  "web_fetch_tool_result",
  "web_fetch_result",
  "web_fetch_tool_error",
  "web_fetch_tool_result_error",
  "web_search_tool_result_error",
  "compaction",
  "tool_reference",
]);
/** Tools that the caller runs, whose instructions the provider knows. */
const callersTools = /^(?:custom|(?:bash|text_editor|computer|memory)_\d+)$/;

function sizeOf(body: JsonObject): PromptSize {
  const read = Object.fromEntries(Object.entries(body).filter(([name]) => !steering.has(name)));
  let images = 0;
  let inlineBytes = 0;
  let wholeContext = expanding.some((member) => isAsked(body[member])) || toolsIn(body).some(isTyped);
  for (const { block } of locatedBlocks(body)) {
    const { type: from, data } = sourceOf(block);
    if (block["type"] === "image") {
      images += 1;
      if (from === "base64" && typeof data === "string") inlineBytes += data.length;
      else if (from === "file") wholeContext = true;
    } else if (block["type"] === "document") wholeContext ||= from !== "text" && from !== "content";
    else wholeContext ||= !plainBlocks.has(block["type"]);
  }
  return {
    bytes: wholeContext ? 0 : bytesOf(read) - inlineBytes,
    images,
    instructed: instructing.some((member) => isAsked(body[member])),
    wholeContext,
    cacheWriteSurcharge: cacheWriteSurcharge(read),
  };
}

function toolsIn({ tools }: JsonObject): JsonObject[] {
  return Array.isArray(tools) ? tools.filter(isObject) : [];
}

const isTyped = ({ type }: JsonObject) => type !== undefined && type !== null && type !== "custom";

/** Images and documents that the provider fetches, and servers that it calls. */
function addressesIn(body: JsonObject): NamedAddress[] {
  const named: NamedAddress[] = [];
  for (const { block, path } of locatedBlocks(body)) {
    const { type, url } = sourceOf(block);
    if (type === "url") named.push({ path: `${path}.source.url`, url: typeof url === "string" ? url : "" });
  }
  [body["mcp_servers"]].flat().forEach((server: unknown, index) => {
    if (isObject(server) && typeof server["url"] === "string")
      named.push({ path: `mcp_servers.${index}.url`, url: server["url"] });
  });
  return named;
}

const plainRegions = new Set<unknown>([undefined, null, "global"]);
const plainSpeeds = new Set<unknown>([undefined, null, "standard"]);

function unpricedIn(body: JsonObject, settings: VendorSettings): string[] {
  const tool = toolsIn(body).find(({ type }) => typeof type === "string" && !callersTools.test(type));
  const { edits } = isObject(body["context_management"]) ? body["context_management"] : {};
  const compacts = [edits].flat().some((edit) => isObject(edit) && typeName(edit["type"]).startsWith("compact"));
  const several = ["n", "best_of"].filter((member) => isAsked(body[member]) && body[member] !== 1);
  return [
    ...(tool === undefined ? [] : [`a tool of type ${typeName(tool["type"])}`]),
    ...["mcp_servers", "container"].filter((member) => isAsked(body[member])),
    ...(plainRegions.has(body["inference_geo"]) ? [] : ["inference_geo"]),
    ...(plainSpeeds.has(body["speed"]) ? [] : ["speed"]),
    // The whole context is read, and billed, once more.
    ...(compacts ? ["context_management that compacts"] : []),
    ...several,
    ...settings.unpriced,
    ...feesIn(body).filter((member) => !ownMembers.has(member)),
  ];
}
