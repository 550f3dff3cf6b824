import { type JsonObject, objectOf, readCount, readText } from "../answer.ts";
import { proportionsOf, sizeOf } from "../image-shape.ts";
import { imageOf, imagesUsage, readImages, reportOf } from "../images-answer.ts";
import { given } from "../messages.ts";
import { BadAnswer, type ImagesCall, type ImagesDialect, type ImagesForm, type Upstream } from "../provider.ts";
import { type Field, withExtra } from "./form-fields.ts";
import { headers, operationUrl } from "./request.ts";

const shapes = ["size", "resolution", "aspect_ratio"] as const;

/** The public API's members that reach a vendor, by its form. */
const parameters = {
  openai: ["n", ...shapes, "quality", "background", "output_format", "output_compression", "input_references"],
  together: ["n", ...shapes, "output_format", "seed", "input_references"],
  xai: ["n", ...shapes, "input_references"],
  public: ["n", ...shapes, "quality", "background", "output_format", "output_compression", "seed", "input_references"],
} as const;

type Form = keyof typeof parameters;

const formOf = ({ options }: Upstream): Form =>
  options.publicApi === true ? "public" : (options.images?.dialect ?? "openai");

/** OpenAI's `POST /images/generations` and `/images/edits`, and the public API's `POST /images`. */
export const images: ImagesDialect = {
  takes: ({ options }) => options.images !== null,

  unfit(upstream, call) {
    const form = formOf(upstream);
    if (call.background === "transparent" && !parameters[form].some((one) => one === "background"))
      return "it makes no transparent background";
    if (form !== "xai") return null;
    const proportions = proportionsOf(call);
    if (proportions === null) return "it takes proportions, not pixels: send aspect_ratio and resolution";
    return proportions.resolution === "512" || proportions.resolution === "4K" ? "it makes images of 1K and 2K" : null;
  },

  streams: ({ options }) => options.images?.streams === true,

  parameters: (upstream) => parameters[formOf(upstream)],

  inlines: () => false,

  form: (upstream, call) => (formOf(upstream) === "openai" && call.references.length > 0 ? edit(upstream, call) : null),

  toRequest(upstream, call) {
    const form = formOf(upstream);
    const isEdit = form === "xai" && call.references.length > 0;
    const path = form === "public" ? "images" : isEdit ? "images/edits" : "images/generations";
    return {
      method: "POST",
      url: operationUrl(upstream, path, call.model),
      headers: headers(upstream, call.stream ? "text/event-stream" : "application/json"),
      body: JSON.stringify({ ...call.extra, ...given(members[form](upstream, call)) }),
    };
  },

  readAnswer: readImages,

  readUsage: (body) => imagesUsage(objectOf(body)["usage"]),

  readEvent(event) {
    const type = readText(event["type"]) ?? "";
    if (type.endsWith(".text_chunk")) return { type: "text", event };
    if (!/^image_(generation|edit)\.(partial_image|completed)$/.test(type)) return null;
    const image = imageOf(event);
    if (image === null) throw new BadAnswer("an event holds no image");
    if (type.endsWith(".completed")) return { type: "completed", image, ...reportOf(event) };
    if (image.base64 === null) return null;
    return { type: "partial", index: readCount(event["partial_image_index"]) ?? 0, base64: image.base64 };
  },
};

const members: Readonly<Record<Form, (upstream: Upstream, call: ImagesCall) => JsonObject>> = {
  openai: openAi,
  public: publicForm,
  together,
  xai,
};

/** What OpenAI's two operations have in common: https://platform.openai.com/docs/api-reference/images */
function openAi({ options }: Upstream, call: ImagesCall): JsonObject {
  const isAsked = options.images?.base64Only !== true || /dall-e/.test(call.model);
  return {
    model: call.model,
    prompt: call.prompt,
    n: call.n,
    size: sizeOf(call),
    quality: call.quality,
    background: call.background,
    output_format: call.format,
    output_compression: call.compression,
    response_format: isAsked ? "b64_json" : null,
    stream: call.stream ? true : null,
    // OpenAI has none, and servers of its dialect may.
    seed: options.images?.base64Only === true ? null : call.seed,
  };
}

function edit(upstream: Upstream, call: ImagesCall): ImagesForm {
  const { "content-type": _, ...rest } = headers(upstream, call.stream ? "text/event-stream" : "application/json");
  const fields = Object.entries(given(openAi(upstream, call))).map(([name, value]): Field => [name, String(value)]);
  return {
    url: operationUrl(upstream, "images/edits", call.model),
    headers: rest,
    fields: withExtra(call.extra, fields, "image[]"),
    fileMember: "image[]",
  };
}

function publicForm(_: Upstream, call: ImagesCall): JsonObject {
  return {
    model: call.model,
    prompt: call.prompt,
    n: call.n,
    size: call.size,
    resolution: call.resolution,
    aspect_ratio: call.aspectRatio,
    quality: call.quality,
    background: call.background,
    output_format: call.format,
    output_compression: call.compression,
    seed: call.seed,
    input_references: nonEmpty(call.references.map(reference)),
    stream: call.stream ? true : null,
    user: call.user,
  };
}

const reference = (url: string) => ({ type: "image_url", image_url: { url } });
const nonEmpty = <T>(list: readonly T[]) => (list.length === 0 ? null : list);

/** https://docs.together.ai/reference/post-images-generations */
function together(_: Upstream, call: ImagesCall): JsonObject {
  const [width, height] = sizeOf(call)?.split("x").map(Number) ?? [];
  const [first, ...others] = call.references;
  return {
    model: call.model,
    prompt: call.prompt,
    n: call.n,
    width,
    height,
    seed: call.seed,
    output_format: call.format,
    response_format: "base64",
    ...(others.length > 0 ? { reference_images: call.references } : { image_url: first }),
  };
}

/** https://docs.x.ai/developers/model-capabilities/images/generation */
function xai(_: Upstream, call: ImagesCall): JsonObject {
  const { aspectRatio, resolution } = proportionsOf(call) ?? { aspectRatio: null, resolution: null };
  const [image, ...others] = call.references.map((url) => ({ type: "image_url", url }));
  return {
    model: call.model,
    prompt: call.prompt,
    n: call.n,
    aspect_ratio: aspectRatio,
    resolution: resolution?.toLowerCase(),
    response_format: "b64_json",
    ...(others.length > 0 ? { images: [image, ...others] } : { image }),
  };
}
