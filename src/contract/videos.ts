import * as z from "zod/mini";
import { endpoint, megabytes, modelCallHeaders } from "./endpoint.ts";
import { pixelsOf } from "./images.ts";
import { list } from "./list.ts";
import { MediaPreferences } from "./media-preferences.ts";
import { videoResolutionOf, videoResolutions } from "./video-size.ts";

export const mostVideoPromptCharacters = 100_000;
/** Seconds of one video; what vendors make is shorter. */
export const mostVideoSeconds = 300;
export const mostVideoReferences = 16;

export const videoRatios = ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3", "21:9", "9:21"] as const;
export const frameTypes = ["first_frame", "last_frame"] as const;
export type FrameType = (typeof frameTypes)[number];

const Text = z.string().check(z.minLength(1));
const Address = z.looseObject({ url: Text });

/** Addresses to which the gateway sends what it has to say: never in the clear. */
export const CallbackUrl = z
  .string()
  .check(z.maxLength(2_000), z.regex(/^https:\/\/[^/?#\s@]+([/?#]\S*)?$/, "must be an https address without a user"));

/** Members that are not listed are the provider's own and are passed on. */
export const VideoBody = z
  .looseObject({
    model: Text,
    /** what the video shows; may be left out where there are images to work from */
    prompt: z.optional(z.nullable(z.string().check(z.maxLength(mostVideoPromptCharacters)))),
    /** seconds; default: 8 */
    duration: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(mostVideoSeconds)))),
    resolution: z.optional(z.nullable(z.enum(videoResolutions))),
    aspect_ratio: z.optional(z.nullable(z.enum(videoRatios))),
    /** WIDTHxHEIGHT in pixels, or a resolution */
    size: z.optional(
      z.nullable(
        z
          .string()
          .check(
            z.regex(/^(480p|720p|768p|1080p|[124]K|[1-9]\d{1,4}x[1-9]\d{1,4})$/, "must be such as 1280x720 or 1080p"),
          ),
      ),
    ),
    generate_audio: z.optional(z.nullable(z.boolean())),
    seed: z.optional(z.nullable(z.int())),
    /** how it begins and ends */
    frame_images: z.optional(
      z.nullable(
        list(z.strictObject({ type: z.literal("image_url"), image_url: Address, frame_type: z.enum(frameTypes) }), {
          most: 2,
          together: {
            holds: (frames) => new Set(frames.map(({ frame_type: type }) => type)).size === frames.length,
            message: "must have at most one first_frame and one last_frame",
          },
        }),
      ),
    ),
    /** images to work from; not read where there are `frame_images` */
    input_references: z.optional(
      z.nullable(
        list(z.strictObject({ type: z.literal("image_url"), image_url: Address }), { most: mostVideoReferences }),
      ),
    ),
    /** told when the job has ended, instead of the workspace's own address */
    callback_url: z.optional(z.nullable(CallbackUrl)),
    user: z.optional(z.nullable(z.string())),
    provider: z.optional(z.nullable(MediaPreferences)),
    session_id: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
    trace: z.optional(z.nullable(z.looseObject({}))),
  })
  .check(
    z.refine(({ prompt, frame_images: frames, input_references: references }) => {
      const images = (frames?.length ?? 0) + (references?.length ?? 0);
      return (prompt ?? "") !== "" || images > 0;
    }, "must be given where there is no image to work from"),
  );
export type VideoBody = z.infer<typeof VideoBody>;

/** What size and resolution say together; null: they contradict each other. */
export function videoSizeOf(size: string | null, resolution: string | null): string | null | undefined {
  const pixels = pixelsOf(size);
  const tier = pixels === null ? size : videoResolutionOf(pixels);
  if (resolution !== null && tier !== null && tier !== resolution) return null;
  return size ?? resolution ?? undefined;
}

export const videoStatuses = ["pending", "in_progress", "completed", "failed", "cancelled", "expired"] as const;
export type VideoStatus = (typeof videoStatuses)[number];

/** Members that say nothing yet are left out: official clients refuse null in them. */
export const VideoJob = z.object({
  id: z.string(),
  status: z.enum(videoStatuses),
  polling_url: z.string(),
  /** of the call on the ledger, once the job has ended */
  generation_id: z.optional(z.string()),
  /** of a completed job: addresses that need no key, for a day */
  unsigned_urls: z.optional(z.array(z.string())),
  /** once the job has ended */
  usage: z.optional(z.object({ cost: z.nullable(z.number()), is_byok: z.boolean() })),
  error: z.optional(z.string()),
});
export type VideoJob = z.infer<typeof VideoJob>;

const params = z.strictObject({ jobId: z.string().check(z.minLength(1), z.maxLength(200)) });
const tag = "Videos";

export const createVideo = endpoint({
  name: "createVideo",
  operationId: "createVideos",
  method: "POST",
  path: "/videos",
  tag,
  summary: "Have a video made",
  description:
    "The answer is a job: ask for it at `polling_url`, or give a `callback_url`. The most that the video can cost is reserved until the job has ended; then it is charged by the second or by the video, by the model's price. A job that fails costs nothing.",
  auth: "ordinary",
  body: VideoBody,
  bodyLimit: megabytes(32),
  headers: modelCallHeaders,
  status: 202,
  returns: VideoJob,
  answerHeaders: ["X-Generation-Id"],
  errors: [400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 524, 529],
});

export const getVideo = endpoint({
  name: "getVideo",
  operationId: "getVideos",
  method: "GET",
  path: "/videos/{jobId}",
  tag,
  summary: "Get the status of a video",
  auth: "ordinary",
  params,
  returns: VideoJob,
  errors: [401, 403, 404, 429, 500, 503],
});

export const getVideoContent = endpoint({
  name: "getVideoContent",
  operationId: "listVideosContent",
  method: "GET",
  path: "/videos/{jobId}/content",
  tag,
  summary: "Fetch a finished video",
  description:
    "It is passed on as the provider sends it, a range of it if you ask for one. With the `token` of `unsigned_urls` no key is needed. 409 while the job has no video, 410 once the provider no longer has it.",
  auth: "ordinary",
  params,
  query: z.object({
    /** of several videos; default: 0 */
    index: z.optional(z.string().check(z.regex(/^\d{1,3}$/, "must be 0 or more"))),
    token: z.optional(z.string().check(z.maxLength(500))),
  }),
  returns: z.string(),
  binary: ["video/mp4"],
  errors: [400, 401, 403, 404, 409, 410, 429, 500, 502, 503],
});

/** A video model in its own list. Null: not known. */
export const VideoModelRecord = z.object({
  id: z.string(),
  canonical_slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** unix seconds */
  created: z.int(),
  hugging_face_id: z.nullable(z.string()),
  supported_resolutions: z.nullable(z.array(z.enum(videoResolutions))),
  supported_aspect_ratios: z.nullable(z.array(z.enum(videoRatios))),
  supported_sizes: z.nullable(z.array(z.string())),
  supported_durations: z.nullable(z.array(z.int())),
  supported_frame_images: z.nullable(z.array(z.enum(frameTypes))),
  generate_audio: z.nullable(z.boolean()),
  seed: z.nullable(z.boolean()),
  creativity: z.nullable(z.array(z.int())),
  upscale_factor: z.nullable(z.object({ min: z.nullable(z.number()), max: z.nullable(z.number()) })),
  /** members besides those of this API; empty: none is known, and all are passed on */
  allowed_passthrough_parameters: z.array(z.string()),
  /** USD a second or a video; null: there is no price */
  pricing_skus: z.nullable(z.record(z.string(), z.string())),
});
export type VideoModelRecord = z.infer<typeof VideoModelRecord>;

export const listVideoModels = endpoint({
  name: "listVideoModels",
  operationId: "listVideosModels",
  method: "GET",
  path: "/videos/models",
  tag,
  summary: "List the video models",
  auth: "none",
  returns: z.object({ data: z.array(VideoModelRecord) }),
  errors: [500],
});
