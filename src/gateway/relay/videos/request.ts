import { VideoBody, videoSizeOf } from "#contract/videos.ts";
import { pixelsOf } from "#contract/images.ts";
import { type VideoResolution, videoResolutions } from "#contract/video-size.ts";
import { invalid } from "../../domain/refusal.ts";
import type { VideoCall } from "../../providers/provider.ts";
import type { Turn } from "../../turns.ts";
import type { MediaRequest } from "../media/kind.ts";
import { readMembers } from "../read-body.ts";

/** A call for a video as the caller sent it, checked. */
export interface VideoRequest extends MediaRequest, Omit<VideoCall, "model" | "extra" | "user"> {
  readonly callbackUrl: string | null;
}

/** Values in a body. */
const mostValues = 2_000;
/** Seconds, where the caller says none: what is reserved must be what is asked for, and most vendors make this much. */
const usualSeconds = 8;

/** @throws Refusal invalid_request, naming the member and what would be valid */
export async function readVideoRequest(bytes: Buffer, turn: Turn): Promise<VideoRequest> {
  const {
    model,
    prompt,
    duration,
    resolution,
    aspect_ratio,
    size,
    generate_audio,
    seed,
    frame_images,
    input_references,
    callback_url,
    user,
    provider,
    session_id,
    trace,
    ...extra
  } = await readMembers(VideoBody, bytes, turn, mostValues);
  if (videoSizeOf(size ?? null, resolution ?? null) === null)
    throw invalid("size", `must not contradict the resolution ${resolution}`);
  refuseMembers(extra, (name) => name);
  for (const [slug, members] of Object.entries(provider?.options ?? {})) {
    const path = (name: string) => `provider.options.${slug}.${name}`;
    const own = ownMembers.find((name) => name in members);
    if (own !== undefined) throw invalid(path(own), "must be sent as a member of the request");
    refuseMembers(members, path);
  }
  const pixels = pixelsOf(size) === null ? null : (size ?? null);
  const tier = videoResolutions.find((one) => one === size) ?? null;
  const frames = (frame_images ?? []).map(({ frame_type: type, image_url: { url } }) => ({ type, url }));
  const references = frames.length > 0 ? [] : (input_references ?? []).map(({ image_url }) => image_url.url);
  return {
    model,
    prompt: prompt ?? "",
    seconds: duration ?? usualSeconds,
    size: pixels,
    resolution: (resolution ?? tier) satisfies VideoResolution | null,
    aspectRatio: aspect_ratio ?? null,
    audio: generate_audio ?? null,
    seed: seed ?? null,
    frames,
    references,
    named: [
      ...frames.map(({ url }, index) => ({ path: `frame_images.${index}.image_url.url`, url })),
      ...references.map((url, index) => ({ path: `input_references.${index}.image_url.url`, url })),
      ...(callback_url ? [{ path: "callback_url", url: callback_url }] : []),
    ],
    callbackUrl: callback_url ?? null,
    user: user ?? null,
    preferences: provider ?? {},
    sessionId: session_id ?? null,
    trace: trace ?? null,
    extra,
  };
}

/** What the call is reserved by is the same at every provider. */
const ownMembers = [
  "model",
  "prompt",
  "duration",
  "size",
  "resolution",
  "aspect_ratio",
  "frame_images",
  "input_references",
  "callback_url",
] as const;

/** The same under vendors' own names: sent as they are, they would ask for more than was reserved. */
const otherNames: ReadonlyMap<string, (typeof ownMembers)[number]> = new Map(
  Object.entries({
    seconds: "duration",
    n_seconds: "duration",
    video_length: "duration",
    durationSeconds: "duration",
    duration_seconds: "duration",
    num_frames: "duration",
    width: "size",
    height: "size",
    aspectRatio: "aspect_ratio",
    image: "frame_images",
    image_url: "frame_images",
    input_image: "frame_images",
    input_reference: "frame_images",
    last_frame: "frame_images",
    lastFrame: "frame_images",
    first_frame_image: "frame_images",
    images: "input_references",
    reference_images: "input_references",
    referenceImages: "input_references",
  } as const),
);

/** What would make another job than one video of so many seconds. */
const unserved: ReadonlyMap<string, string> = new Map(
  Object.entries({
    n: "is not served: a job makes one video",
    n_variants: "is not served: a job makes one video",
    sample_count: "is not served: a job makes one video",
    sampleCount: "is not served: a job makes one video",
    numberOfVideos: "is not served: a job makes one video",
    video: "is not served: videos are made from text and images",
    video_url: "is not served: videos are made from text and images",
    previous_job_id: "is not served: each job begins anew",
    upscale_factor: "is not served: nothing is known of what upscaling costs",
    creativity: "is not served: nothing is known of what upscaling costs",
  }),
);

function refuseMembers(members: Readonly<Record<string, unknown>>, path: (name: string) => string): void {
  for (const name of Object.keys(members)) {
    const own = otherNames.get(name);
    if (own !== undefined) throw invalid(path(name), `must be sent as ${own}, by which the call is reserved`);
    const reason = unserved.get(name);
    if (reason !== undefined && members[name] !== null) throw invalid(path(name), reason);
  }
}
