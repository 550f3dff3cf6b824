import type { Candidate } from "../../domain/routing/routing.ts";
import type { MadeImage } from "../../providers/provider.ts";
import type { MediaAmount } from "../media/kind.ts";
import type { ImageRequest } from "./request.ts";
import { mediaTypeOf } from "./media-type.ts";

/** An image in the public API's form. */
export function shown({ base64, mediaType, revisedPrompt }: MadeImage, { format }: ImageRequest) {
  const type = mediaType ?? mediaTypeOf(base64 ?? "") ?? (format === null ? null : mediaTypes[format]);
  return {
    b64_json: base64 ?? "",
    ...(type !== null && { media_type: type }),
    ...(revisedPrompt !== null && { revised_prompt: revisedPrompt }),
  };
}

const mediaTypes = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp", svg: "image/svg+xml" } as const;

/** With the names of the public API, and of OpenAI's. */
export function usageOf({ promptTokens, completionTokens }: MediaAmount, cost: number, { byok }: Candidate) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    cost,
    is_byok: byok !== null,
  };
}
