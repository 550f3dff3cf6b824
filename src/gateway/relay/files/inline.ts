import type { ConversationApi } from "#contract/api-type.ts";
import type { FileType } from "#contract/files.ts";
import type { JsonObject } from "../../providers/answer.ts";

/** A file's content: text as it is, all else in base64. */
export interface InlineFile {
  readonly type: FileType;
  readonly filename: string;
  readonly data: string;
}

export const isText = (type: FileType): boolean => type.startsWith("text/") || type.endsWith("json");

/**
 * The part of a request that is the file, instead of the one that names it. Text becomes text, which every model reads
 * and every rule sees.
 * @returns null where the form has no words for such a file
 */
export const inlined: Readonly<Record<ConversationApi, (named: JsonObject, file: InlineFile) => JsonObject | null>> = {
  completions: (_, file) => {
    const { type, filename, data } = file;
    if (isText(type)) return { type: "text", text: data };
    if (type.startsWith("image/")) return { type: "image_url", image_url: { url: dataUrl(file) } };
    if (type in soundFormats) return { type: "input_audio", input_audio: { data, format: soundFormats[type] } };
    return { type: "file", file: { filename, file_data: dataUrl(file) } };
  },
  messages: (named, { type, data }) => {
    const isImage = type.startsWith("image/");
    if (named["type"] !== (isImage ? "image" : "document")) return null;
    if (isText(type)) return { source: { type: "text", media_type: "text/plain", data } };
    if (!isImage && type !== "application/pdf") return null;
    return { source: { type: "base64", media_type: type, data } };
  },
  responses: (named, file) => {
    const { type, filename, data } = file;
    const isImage = type.startsWith("image/");
    if (named["type"] === "input_image" && !isImage) return null;
    if (isText(type)) return { type: "input_text", text: data };
    if (isImage) return { type: "input_image", detail: named["detail"] ?? "auto", image_url: dataUrl(file) };
    if (type in soundFormats) return { type: "input_audio", input_audio: { data, format: soundFormats[type] } };
    return { type: "input_file", filename, file_data: dataUrl(file) };
  },
};

const dataUrl = ({ type, data }: InlineFile) => `data:${type};base64,${data}`;

/** Sound that the forms have a part for: https://platform.openai.com/docs/guides/audio */
const soundFormats: Readonly<Record<string, string>> = { "audio/mpeg": "mp3", "audio/wav": "wav" };
