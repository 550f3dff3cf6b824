import * as z from "zod/mini";
import { endpoint, megabytes, modelCallHeaders } from "./endpoint.ts";
import { list } from "./list.ts";
import { MediaPreferences } from "./media-preferences.ts";
import { Architecture } from "./models.ts";

/** Of one call's images: an upper bound. */
export const mostImages = 10;
/** Images that a call may show to the model. */
export const mostImageReferences = 16;
export const mostPromptCharacters = 100_000;

export const aspectRatios = [
  "auto",
  "1:1",
  "1:2",
  "2:1",
  "1:4",
  "4:1",
  "1:8",
  "8:1",
  "2:3",
  "3:2",
  "3:4",
  "4:3",
  "4:5",
  "5:4",
  "9:16",
  "16:9",
  "9:19.5",
  "19.5:9",
  "9:20",
  "20:9",
  "9:21",
  "21:9",
] as const;
export const imageResolutions = ["512", "1K", "2K", "4K"] as const;
export type ImageResolution = (typeof imageResolutions)[number];
export const imageQualities = ["auto", "low", "medium", "high"] as const;
export const imageBackgrounds = ["auto", "transparent", "opaque"] as const;
export const imageFormats = ["png", "jpeg", "webp", "svg"] as const;
export type ImageFormat = (typeof imageFormats)[number];

const Text = z.string().check(z.minLength(1));

/** Members that are not listed are the provider's own and are passed on, but for those in docs/billed-members.md. */
export const ImageBody = z
  .looseObject({
    model: Text,
    /** what the image shows */
    prompt: Text.check(z.maxLength(mostPromptCharacters)),
    /** how many images at most; default: 1 */
    n: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(mostImages)))),
    /** WIDTHxHEIGHT in pixels, a resolution, or auto */
    size: z.optional(
      z.nullable(
        z
          .string()
          .check(z.regex(/^(auto|512|[124]K|[1-9]\d{1,4}x[1-9]\d{1,4})$/, "must be such as 1024x1536, 2K or auto")),
      ),
    ),
    resolution: z.optional(z.nullable(z.enum(imageResolutions))),
    aspect_ratio: z.optional(z.nullable(z.enum(aspectRatios))),
    quality: z.optional(z.nullable(z.enum(imageQualities))),
    background: z.optional(z.nullable(z.enum(imageBackgrounds))),
    output_format: z.optional(z.nullable(z.enum(imageFormats))),
    /** percent */
    output_compression: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(100)))),
    seed: z.optional(z.nullable(z.int())),
    /** images to work from, each an address or a data URL */
    input_references: z.optional(
      z.nullable(
        list(z.strictObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: Text }) }), {
          most: mostImageReferences,
        }),
      ),
    ),
    /** a provider that cannot stream answers with JSON all the same */
    stream: z.optional(z.nullable(z.boolean())),
    /** images come in the answer, never as addresses */
    response_format: z.optional(z.nullable(z.literal("b64_json"))),
    user: z.optional(z.nullable(z.string())),
    provider: z.optional(z.nullable(MediaPreferences)),
    session_id: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
    trace: z.optional(z.nullable(z.looseObject({}))),
  })
  .check(
    z.refine(({ size, resolution, aspect_ratio }) => contradiction({ size, resolution, aspect_ratio }) === null, {
      error: ({ input }) => contradiction(input as Dimensions) ?? undefined,
      path: ["size"],
    }),
    z.refine(
      ({ background, output_format: format }) =>
        background !== "transparent" || format === null || format === undefined || format !== "jpeg",
      { error: "must be png or webp where the background is transparent", path: ["output_format"] },
    ),
  );
export type ImageBody = z.infer<typeof ImageBody>;

interface Dimensions {
  readonly size?: string | null | undefined;
  readonly resolution?: ImageResolution | null | undefined;
  readonly aspect_ratio?: string | null | undefined;
}

/** The pixels of `1024x1536`; null: it is no such size. */
export function pixelsOf(size: string | null | undefined): { width: number; height: number } | null {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? "") ?? [];
  return width === undefined || height === undefined ? null : { width: Number(width), height: Number(height) };
}

/** The pixels of a square of each resolution, along one side. */
export const sideOf: Readonly<Record<ImageResolution, number>> = { "512": 512, "1K": 1_024, "2K": 2_048, "4K": 4_096 };

/** The resolution that this many pixels come nearest to. */
export function resolutionOf({ width, height }: { width: number; height: number }): ImageResolution {
  const side = Math.sqrt(width * height);
  return imageResolutions.find((one) => side < sideOf[one] * Math.SQRT2) ?? "4K";
}

/** `3:2` as a number; null: it is left to the model. */
export function ratioOf(aspect: string | null | undefined): number | null {
  const [, width, height] = /^([\d.]+):([\d.]+)$/.exec(aspect ?? "") ?? [];
  return width === undefined || height === undefined ? null : Number(width) / Number(height);
}

/** Pixels are rounded to whole blocks, so a ratio of theirs is not exact. */
const ratioSlack = 0.06;

/** Whether pixels have an aspect ratio; `auto` is none. */
export function isRatio({ width, height }: { width: number; height: number }, aspect: string): boolean {
  const ratio = ratioOf(aspect);
  return ratio !== null && Math.abs(width / height / ratio - 1) <= ratioSlack;
}

function contradiction({ size, resolution, aspect_ratio: aspect }: Dimensions): string | null {
  const pixels = pixelsOf(size);
  const tier = pixels === null ? imageResolutions.find((one) => one === size) : resolutionOf(pixels);
  if (resolution && tier !== undefined && tier !== resolution)
    return `must not contradict the resolution ${resolution}`;
  if (pixels === null || ratioOf(aspect) === null) return null;
  return isRatio(pixels, aspect ?? "") ? null : `must not contradict the aspect ratio ${aspect}`;
}

/** Tokens and money. `input_tokens` and `output_tokens` are for OpenAI's clients. */
export const ImageUsage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  /** USD charged for this call */
  cost: z.number(),
  is_byok: z.boolean(),
});

export const ImageResult = z.looseObject({
  /** unix seconds */
  created: z.int(),
  data: z.array(
    z.looseObject({
      b64_json: z.string(),
      media_type: z.optional(z.string()),
      /** the prompt as the provider changed it */
      revised_prompt: z.optional(z.string()),
    }),
  ),
  usage: ImageUsage,
});
export type ImageResult = z.infer<typeof ImageResult>;

/** The data of one event of a streamed answer. */
export const ImageEvent = z.union([
  z.looseObject({
    type: z.literal("image_generation.partial_image"),
    partial_image_index: z.int(),
    b64_json: z.string(),
  }),
  z.looseObject({
    type: z.literal("image_generation.completed"),
    b64_json: z.string(),
    created: z.int(),
    media_type: z.optional(z.string()),
    /** of the last one */
    usage: z.optional(ImageUsage),
  }),
  z.looseObject({ type: z.literal("error"), error: z.looseObject({ message: z.string() }) }),
]);

const making = {
  method: "POST",
  tag: "Images",
  auth: "ordinary",
  body: ImageBody,
  bodyLimit: megabytes(32),
  headers: modelCallHeaders,
  returns: ImageResult,
  streams: ImageEvent,
  answerHeaders: ["X-Generation-Id"],
  errors: [400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 524, 529],
} as const;

export const createImage = endpoint({
  ...making,
  name: "createImage",
  operationId: "createImages",
  path: "/images",
  summary: "Make images from a prompt",
  description:
    "The answer holds the images in base64. With `stream` it is sent as events where the provider can, and as JSON where it cannot. It is charged by the image, the token or the request, by the model's price and what the provider reports; a call whose caller leaves is charged all the same. Members that are not listed are passed on; refused are vendors' other names for `n`, `size`, `aspect_ratio` and `input_references`, such as `num_images`, `width`, `imageSize` and `image`, at any depth.",
});

/** OpenAI's clients know it by another path. */
export const createImageByOpenAiPath = endpoint({
  ...making,
  name: "createImageByOpenAiPath",
  path: "/images/generations",
  summary: "The same, at the path of OpenAI's clients",
});

/** What a member may be. */
const ParameterDescriptor = z.union([
  z.object({ type: z.literal("enum"), values: z.array(z.string()) }),
  z.object({ type: z.literal("range"), min: z.number(), max: z.number() }),
  z.object({ type: z.literal("boolean") }),
]);
export type ParameterDescriptor = z.infer<typeof ParameterDescriptor>;

const SupportedParameters = z.record(z.string(), ParameterDescriptor);

/** An image model in its own list. */
export const ImageModelRecord = z.object({
  id: z.string(),
  name: z.string(),
  /** unix seconds */
  created: z.int(),
  description: z.string(),
  architecture: z.pick(Architecture, { input_modalities: true, output_modalities: true }),
  /** what one of its providers takes, or several */
  supported_parameters: SupportedParameters,
  supports_streaming: z.boolean(),
  /** the path of the list of its endpoints */
  endpoints: z.string(),
});
export type ImageModelRecord = z.infer<typeof ImageModelRecord>;

/** A price; absent: free or, where the list has none at all, not known. */
export const ImagePrice = z.object({
  billable: z.enum(["output_image", "input_image", "input_text"]),
  unit: z.enum(["image", "token"]),
  cost_usd: z.number(),
  /** the quality and the size that it is for; absent: every other */
  variant: z.optional(z.string()),
});
export type ImagePrice = z.infer<typeof ImagePrice>;

export const ImageEndpointRecord = z.object({
  provider_name: z.string(),
  provider_slug: z.string(),
  provider_tag: z.nullable(z.string()),
  supported_parameters: SupportedParameters,
  /** members besides those of this API; empty: none is known, and all are passed on */
  allowed_passthrough_parameters: z.array(z.string()),
  supports_streaming: z.boolean(),
  pricing: z.array(ImagePrice),
});
export type ImageEndpointRecord = z.infer<typeof ImageEndpointRecord>;

export const listImageModels = endpoint({
  name: "listImageModels",
  method: "GET",
  path: "/images/models",
  tag: "Images",
  summary: "List the image models",
  auth: "none",
  returns: z.object({ data: z.array(ImageModelRecord) }),
  errors: [500],
});

export const listImageModelEndpoints = endpoint({
  name: "listImageModelEndpoints",
  method: "GET",
  path: "/images/models/{author}/{slug}/endpoints",
  tag: "Images",
  summary: "List the providers that serve an image model",
  auth: "none",
  params: z.strictObject({
    author: z.string().check(z.minLength(1), z.maxLength(200)),
    slug: z.string().check(z.minLength(1), z.maxLength(200)),
  }),
  returns: z.object({ id: z.string(), endpoints: z.array(ImageEndpointRecord) }),
  errors: [404, 500],
});
