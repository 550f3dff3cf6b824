import { isObject, objectOf, readCount, type JsonObject } from "../answer.ts";
import { cannotCarry } from "../call.ts";
import { readDataUrl } from "../messages.ts";
import {
  BadAnswer,
  type EmbeddingItem,
  type EmbeddingPart,
  type EmbeddingsDialect,
  type PreprocessingCall,
  type Usage,
} from "../provider.ts";
import { headers, modelUrl } from "./request.ts";

const taskTypes: Readonly<Record<string, string>> = {
  query: "RETRIEVAL_QUERY",
  search_query: "RETRIEVAL_QUERY",
  document: "RETRIEVAL_DOCUMENT",
  search_document: "RETRIEVAL_DOCUMENT",
  passage: "RETRIEVAL_DOCUMENT",
  similarity: "SEMANTIC_SIMILARITY",
};

/** Google's `models/{model}:batchEmbedContents`: https://ai.google.dev/api/embeddings */
export const embeddings: EmbeddingsDialect = {
  capabilities: { tokens: false, images: true, imageUrls: false, passThrough: false },

  takes: (_, parameter) => parameter === "dimensions" || parameter === "input_type",

  format: () => "float",

  toRequest(upstream, call) {
    const { dimensions } = call;
    const requests = call.items.map((item): JsonObject => ({
      model: `models/${call.model}`,
      content: { parts: parts(item) },
      ...taskType(call),
      ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
    }));
    return {
      method: "POST",
      url: modelUrl(upstream, call.model, "batchEmbedContents"),
      headers: headers(upstream),
      body: JSON.stringify({ requests }),
    };
  },

  preprocessing: (_, call) => taskType(call),

  readAnswer(body, count) {
    const answer = objectOf(body);
    const list = answer["embeddings"];
    if (!Array.isArray(list)) throw new BadAnswer("the answer has no embeddings");
    if (list.length !== count) throw new BadAnswer(`the answer has ${list.length} embeddings for ${count} inputs`);
    return { vectors: list.map(values), usage: readUsage(answer["usageMetadata"]), model: null };
  },

  readUsage: (body) => readUsage(objectOf(body)["usageMetadata"]),
};

function taskType({ inputType }: PreprocessingCall): { readonly taskType?: string } {
  return inputType === undefined ? {} : { taskType: taskTypes[inputType] ?? inputType.toUpperCase() };
}

function parts(item: EmbeddingItem): JsonObject[] {
  if (item.type === "tokens") throw cannotCarry("Google takes text, not token ids");
  const given: readonly EmbeddingPart[] = item.type === "text" ? [item] : item.parts;
  return given.map((part) => {
    if (part.type === "text") return { text: part.text };
    const image = readDataUrl(part.image_url.url);
    if (!image) throw cannotCarry("Google takes images to embed inline, as data: addresses");
    return { inlineData: { mimeType: image.mediaType, data: image.base64 } };
  });
}

function values(entry: unknown): readonly number[] {
  const vector = isObject(entry) ? entry["values"] : null;
  if (Array.isArray(vector) && vector.length > 0 && vector.every((one) => typeof one === "number")) return vector;
  throw new BadAnswer("an embedding has no values");
}

/** Newer models count tokens here; the older ones say nothing. */
function readUsage(metadata: unknown): Usage | null {
  const promptTokens = isObject(metadata) ? readCount(metadata["promptTokenCount"]) : null;
  return promptTokens === null ? null : { promptTokens, completionTokens: 0 };
}
