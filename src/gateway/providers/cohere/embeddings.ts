import { isObject, objectOf, readCount, type JsonObject } from "../answer.ts";
import { cannotCarry } from "../call.ts";
import { headers } from "../compatible/request.ts";
import { readDataUrl } from "../messages.ts";
import {
  BadAnswer,
  type EmbeddingItem,
  type EmbeddingPart,
  type EmbeddingsDialect,
  type PreprocessingCall,
  type RawVector,
  type Usage,
} from "../provider.ts";

const inputTypes: Readonly<Record<string, string>> = {
  query: "search_query",
  document: "search_document",
  passage: "search_document",
};

/** Cohere's `POST /v2/embed`: https://docs.cohere.com/reference/embed */
export const embeddings: EmbeddingsDialect = {
  capabilities: { tokens: false, images: true, imageUrls: false, passThrough: false },

  takes: (_, parameter) => ["dimensions", "input_type", "truncate"].includes(parameter),

  format: (_, wanted) => wanted,

  toRequest(upstream, call, format) {
    const texts = call.items.map((item) => (item.type === "text" ? item.text : null));
    const plain = texts.every((text) => text !== null);
    const members: JsonObject = {
      model: call.model,
      input_type: inputTypeOf(call),
      ...(plain ? { texts } : { inputs: call.items.map((item) => ({ content: block(item) })) }),
      embedding_types: [format],
      ...(call.dimensions === undefined ? {} : { output_dimension: call.dimensions }),
      truncate: truncateOf(call),
    };
    return {
      method: "POST",
      url: `${upstream.baseUrl}/embed`,
      headers: headers(upstream),
      body: JSON.stringify(members),
    };
  },

  preprocessing: (_, call) => ({ input_type: inputTypeOf(call), truncate: truncateOf(call) }),

  readAnswer(body, count) {
    const answer = objectOf(body);
    const byType = answer["embeddings"];
    const vectors = isObject(byType) ? (byType["float"] ?? byType["base64"]) : null;
    if (!Array.isArray(vectors)) throw new BadAnswer("the answer has no embeddings.float or embeddings.base64");
    if (vectors.length !== count)
      throw new BadAnswer(`the answer has ${vectors.length} embeddings for ${count} inputs`);
    if (!vectors.every(isVector)) throw new BadAnswer("an embedding is neither numbers nor base64");
    return { vectors, usage: readUsage(answer["meta"]), model: null };
  },

  readUsage: (body) => readUsage(objectOf(body)["meta"]),
};

/** Cohere requires one; documents are the most common input. */
function inputTypeOf({ inputType }: PreprocessingCall): string {
  return inputType === undefined ? "search_document" : (inputTypes[inputType] ?? inputType);
}

/** By default Cohere silently cuts what is too long. */
function truncateOf({ truncate }: PreprocessingCall): string {
  return truncate === true ? "END" : "NONE";
}

function isVector(value: unknown): value is RawVector {
  return (
    typeof value === "string" ||
    (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "number"))
  );
}

function block(item: EmbeddingItem): JsonObject[] {
  if (item.type === "tokens") throw cannotCarry("Cohere takes text, not token ids");
  const parts: readonly EmbeddingPart[] = item.type === "text" ? [item] : item.parts;
  return parts.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (!readDataUrl(part.image_url.url)) throw cannotCarry("Cohere takes images inline, as data: addresses");
    return { type: "image_url", image_url: { url: part.image_url.url } };
  });
}

/** What Cohere bills, not what its models saw. */
function readUsage(meta: unknown): Usage | null {
  const billed = isObject(meta) ? meta["billed_units"] : null;
  if (!isObject(billed)) return null;
  const text = "input_tokens" in billed ? readCount(billed["input_tokens"]) : 0;
  const image = "image_tokens" in billed ? readCount(billed["image_tokens"]) : 0;
  if (text === null || image === null || !("input_tokens" in billed || "image_tokens" in billed)) return null;
  return { promptTokens: text + image, completionTokens: 0, ...(image > 0 ? { imageTokens: image } : {}) };
}
