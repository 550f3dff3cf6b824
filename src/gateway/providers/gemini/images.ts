import { isObject, type JsonObject, objectOf, objectsIn, readText } from "../answer.ts";
import { proportionsOf } from "../image-shape.ts";
import { given, readDataUrl } from "../messages.ts";
import { BadAnswer, type ImagesCall, type ImagesDialect, type MadeImage } from "../provider.ts";
import { blockReason, readUsage } from "./answer.ts";
import { headers, modelUrl } from "./request.ts";

/** Imagen has an operation of its own; Gemini's models make images as they write text. */
const isImagen = (model: string) => model.startsWith("imagen");

const shapes = ["size", "resolution", "aspect_ratio"] as const;
const geminiParameters = [...shapes, "seed", "input_references"];
const imagenParameters = ["n", ...shapes];
/** https://ai.google.dev/gemini-api/docs/imagen#imagen-configuration */
const mostOfImagen = 4;

/**
 * `predict` of Imagen, and `generateContent`: https://ai.google.dev/gemini-api/docs/imagen and
 * https://ai.google.dev/gemini-api/docs/image-generation
 */
export const images: ImagesDialect = {
  takes: () => true,

  unfit(_, call) {
    if (call.background === "transparent") return "it makes no transparent background";
    if (proportionsOf(call) === null) return "it takes proportions, not pixels: send aspect_ratio and resolution";
    if (!isImagen(call.model)) return call.n > 1 ? "it makes one image at a time" : null;
    if (call.references.length > 0) return "it takes no input_references";
    return call.n > mostOfImagen ? `it makes at most ${mostOfImagen} images at a time` : null;
  },

  streams: () => false,

  parameters: (_, model) => (isImagen(model) ? imagenParameters : geminiParameters),

  inlines: () => true,

  form: () => null,

  toRequest(upstream, call) {
    const method = isImagen(call.model) ? "predict" : "generateContent";
    return {
      method: "POST",
      url: modelUrl(upstream, call.model, method),
      headers: headers(upstream),
      body: JSON.stringify(method === "predict" ? imagen(call) : gemini(call)),
    };
  },

  readAnswer(body) {
    const answer = objectOf(body);
    const made = "predictions" in answer ? predicted(answer) : generated(answer);
    const refused = blockReason(answer);
    if (made.length === 0) {
      throw new BadAnswer(refused === null ? "the answer holds no image" : `the prompt was blocked: ${refused}`);
    }
    return { images: made, created: null, usage: readUsage(answer["usageMetadata"]), quality: null, size: null };
  },

  readUsage: (body) => readUsage(objectOf(body)["usageMetadata"]),

  readEvent: () => null,
};

function imagen(call: ImagesCall): JsonObject {
  const { aspectRatio, resolution } = proportionsOf(call) ?? { aspectRatio: null, resolution: null };
  return {
    instances: [{ prompt: call.prompt }],
    parameters: {
      ...call.extra,
      sampleCount: call.n,
      ...given({ aspectRatio, imageSize: resolution }),
    },
  };
}

function gemini(call: ImagesCall): JsonObject {
  const { aspectRatio, resolution } = proportionsOf(call) ?? { aspectRatio: null, resolution: null };
  const imageConfig = given({ aspectRatio, imageSize: resolution });
  const { generationConfig, ...extra } = call.extra;
  return {
    ...extra,
    contents: [{ role: "user", parts: [...call.references.map(inlineData), { text: call.prompt }] }],
    generationConfig: {
      ...(isObject(generationConfig) && generationConfig),
      candidateCount: 1,
      responseModalities: ["IMAGE"],
      ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
      ...given({ seed: call.seed }),
    },
  };
}

function inlineData(url: string): JsonObject {
  const inline = readDataUrl(url);
  return { inlineData: { mimeType: inline?.mediaType, data: inline?.base64 } };
}

function predicted({ predictions }: JsonObject): MadeImage[] {
  return objectsIn(predictions).flatMap((each) => madeOf(each["bytesBase64Encoded"], each["mimeType"]));
}

function generated({ candidates }: JsonObject): MadeImage[] {
  return objectsIn(candidates).flatMap(({ content }) =>
    objectsIn(isObject(content) ? content["parts"] : null).flatMap(({ inlineData: inline, thought }) =>
      // Drafts of a model that thinks are no answer.
      isObject(inline) && thought !== true ? madeOf(inline["data"], inline["mimeType"]) : [],
    ),
  );
}

function madeOf(data: unknown, mediaType: unknown): MadeImage[] {
  const base64 = readText(data);
  if (base64 === null || base64 === "") return [];
  return [{ base64, url: null, mediaType: readText(mediaType), revisedPrompt: null }];
}
