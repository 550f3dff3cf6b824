import { cannotCarry } from "../call.ts";
import { isObject, objectOf, readCount, readOpenAiUsage, readText, type JsonObject } from "../answer.ts";
import {
  BadAnswer,
  type EmbeddingItem,
  type EmbeddingsCall,
  type EmbeddingsDialect,
  type EncodingFormat,
  type RawVector,
  type Upstream,
} from "../provider.ts";
import { headers, operationUrl } from "./request.ts";
import { multimodalRequest } from "./voyage.ts";

/** OpenAI's `POST /embeddings` and its variants, as options of the upstream. */
export const embeddings: EmbeddingsDialect = {
  capabilities: { tokens: true, images: true, imageUrls: true, passThrough: true },

  takes({ options }, parameter) {
    if (parameter === "dimensions") return options.dimensionsMember !== null;
    if (parameter === "input_type") return options.inputType !== null;
    if (parameter === "truncate") return options.truncationMember !== undefined;
    return !options.omit?.includes(parameter);
  },

  format(upstream, wanted) {
    const taken = upstream.options.encodingFormats ?? ["float"];
    return taken.includes(wanted) ? wanted : (taken[0] ?? "float");
  },

  toRequest(upstream, call, format) {
    const blocks = call.items.some(({ type }) => type === "block");
    if (blocks && upstream.options.blocks === "voyage") return multimodalRequest(upstream, call, format);
    return {
      method: "POST",
      url: operationUrl(upstream, "embeddings", call.model),
      headers: headers(upstream),
      body: JSON.stringify(body(upstream, call, format)),
    };
  },

  // What is sent, less what is not preprocessing: a member that the vendor is sent can never be forgotten here.
  preprocessing(upstream, { model, inputType, truncate, extra }) {
    const call: EmbeddingsCall = {
      model,
      items: [],
      ...(inputType === undefined ? {} : { inputType }),
      ...(truncate === undefined ? {} : { truncate }),
      ...(extra === undefined ? {} : { extra }),
    };
    const { encodingMember } = upstream.options;
    const { model: _, input: __, ...members } = body(upstream, call, "float");
    delete members[encodingMember ?? "encoding_format"];
    return members;
  },

  readAnswer(body, count) {
    const answer = objectOf(body);
    const data = answer["data"];
    if (!Array.isArray(data)) throw new BadAnswer("the answer has no list of embeddings in data");
    if (data.length !== count) throw new BadAnswer(`the answer has ${data.length} embeddings for ${count} inputs`);
    const vectors: RawVector[] = Array.from({ length: count });
    data.forEach((entry: unknown, position) => {
      if (!isObject(entry)) throw new BadAnswer(`data.${position} is not an object`);
      const index = entry["index"] === undefined ? position : readCount(entry["index"]);
      if (index === null || index >= count || vectors[index] !== undefined) {
        throw new BadAnswer(`data.${position}.index is not a place among ${count} inputs, or names one twice`);
      }
      vectors[index] = vector(entry["embedding"], position);
    });
    return { vectors, usage: readOpenAiUsage(answer["usage"]), model: readText(answer["model"]) };
  },

  readUsage: (body) => readOpenAiUsage(objectOf(body)["usage"]),
};

function body(upstream: Upstream, call: EmbeddingsCall, format: EncodingFormat): JsonObject {
  const {
    dimensionsMember = "dimensions",
    encodingMember = "encoding_format",
    floatUnnamed,
    inputType,
    truncationMember,
    omit,
  } = upstream.options;
  const members: JsonObject = {
    ...call.extra,
    model: call.model,
    input: call.items.map((item) => input(upstream, item)),
  };
  if (encodingMember !== null && !(floatUnnamed && format === "float")) members[encodingMember] = format;
  if (call.dimensions !== undefined && dimensionsMember !== null) members[dimensionsMember] = call.dimensions;
  if (call.inputType !== undefined && inputType !== null) {
    members[inputType?.member ?? "input_type"] = inputType?.words?.[call.inputType] ?? call.inputType;
  }
  if (call.user !== undefined) members["user"] = call.user;
  if (truncationMember !== undefined) members[truncationMember] = call.truncate ?? false;
  for (const name of omit ?? []) delete members[name];
  return members;
}

function input(upstream: Upstream, item: EmbeddingItem): unknown {
  if (item.type === "text") return item.text;
  if (item.type === "tokens") return item.tokens;
  const { blocks = "content" } = upstream.options;
  if (blocks === "content") return { content: item.parts };
  return blocks === "jina" ? jinaBlock(item.parts) : onlyText(item.parts);
}

type Parts = Extract<EmbeddingItem, { type: "block" }>["parts"];

/** Jina embeds a text or an image per object: https://api.jina.ai/redoc, `TextDoc` and `ImageDoc`. */
function jinaBlock(parts: Parts): unknown {
  const [part] = parts;
  if (!part || parts.length > 1) throw cannotCarry("this provider takes one text or one image in a block, not several");
  return part.type === "text" ? { text: part.text } : { image: part.image_url.url };
}

/** A block of text alone is a text. */
function onlyText(parts: Parts): string {
  return parts
    .map((part) => {
      if (part.type !== "text") throw cannotCarry("this provider takes text, not images");
      return part.text;
    })
    .join("\n");
}

function vector(value: unknown, position: number): RawVector {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.length > 0 && value.every((number) => typeof number === "number")) return value;
  throw new BadAnswer(`data.${position}.embedding is neither numbers nor base64`);
}
