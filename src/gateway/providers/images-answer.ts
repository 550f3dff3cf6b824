import { type JsonObject, objectOf, objectsIn, readCount, readText } from "./answer.ts";
import { readDataUrl } from "./messages.ts";
import { type AnswerBody, BadAnswer, type ImagesAnswer, type ImagesUsage, type MadeImage } from "./provider.ts";

/** An answer of OpenAI's form. @throws BadAnswer when it is not JSON, or holds no image */
export function readImages(body: AnswerBody): ImagesAnswer {
  const answer = objectOf(body);
  const images = objectsIn(answer["data"]).flatMap((entry) => imageOf(entry) ?? []);
  if (images.length === 0) throw new BadAnswer("the answer holds no image");
  return { images, ...reportOf(answer) };
}

/** What an answer, or the last event of a stream, says of its images. */
export function reportOf(answer: Readonly<JsonObject>) {
  return {
    created: readCount(answer["created"]) ?? readCount(answer["created_at"]),
    usage: imagesUsage(answer["usage"]),
    quality: readText(answer["quality"]),
    size: readText(answer["size"]),
  };
}

/** Null: there is neither an image nor an address of one. */
export function imageOf(entry: Readonly<JsonObject>): MadeImage | null {
  const given = nonEmpty(entry["b64_json"]);
  const inline = readDataUrl(given ?? nonEmpty(entry["url"]) ?? "");
  const base64 = inline?.base64 ?? given;
  const url = base64 === null ? nonEmpty(entry["url"]) : null;
  if (base64 === null && url === null) return null;
  return {
    base64,
    url,
    mediaType: readText(entry["media_type"]) ?? inline?.mediaType ?? null,
    revisedPrompt: nonEmpty(entry["revised_prompt"]),
  };
}

const nonEmpty = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

/** OpenAI counts `input_tokens`, the public API `prompt_tokens`. */
export function imagesUsage(value: unknown): ImagesUsage | null {
  const usage = Object(value) as JsonObject;
  const promptTokens = readCount(usage["input_tokens"]) ?? readCount(usage["prompt_tokens"]);
  const completionTokens = readCount(usage["output_tokens"]) ?? readCount(usage["completion_tokens"]);
  return promptTokens === null || completionTokens === null ? null : { promptTokens, completionTokens };
}
