import type { JsonObject } from "../answer.ts";
import { cannotCarry } from "../call.ts";
import { readDataUrl } from "../messages.ts";
import type {
  EmbeddingItem,
  EmbeddingPart,
  EmbeddingsCall,
  EncodingFormat,
  Upstream,
  UpstreamRequest,
} from "../provider.ts";
import { headers, operationUrl } from "./request.ts";

/** Voyage embeds blocks by an operation of its own: https://docs.voyageai.com/reference/multimodal-embeddings-api */
export function multimodalRequest(upstream: Upstream, call: EmbeddingsCall, format: EncodingFormat): UpstreamRequest {
  const { inputType: words } = upstream.options;
  const body: JsonObject = {
    model: call.model,
    inputs: call.items.map((item) => ({ content: content(item) })),
    ...(call.inputType === undefined ? {} : { input_type: words?.words?.[call.inputType] ?? call.inputType }),
    truncation: call.truncate ?? false,
    ...(format === "base64" ? { output_encoding: "base64" } : {}),
  };
  return {
    method: "POST",
    url: operationUrl(upstream, "multimodalembeddings"),
    headers: headers(upstream),
    body: JSON.stringify(body),
  };
}

function content(item: EmbeddingItem): JsonObject[] {
  if (item.type === "tokens") throw cannotCarry("Voyage takes text, not token ids");
  const parts: readonly EmbeddingPart[] = item.type === "text" ? [item] : item.parts;
  return parts.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text };
    const { url } = part.image_url;
    return readDataUrl(url) ? { type: "image_base64", image_base64: url } : { type: "image_url", image_url: url };
  });
}
