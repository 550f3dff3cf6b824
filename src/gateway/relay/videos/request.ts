import { VideoBody, videoSizeOf } from "#contract/videos.ts";
import { pixelsOf } from "#contract/images.ts";
import { type VideoResolution, videoResolutions } from "#contract/video-size.ts";
import { invalid } from "../../domain/refusal.ts";
import type { VideoCall } from "../../providers/provider.ts";
import type { Turn } from "../../turns.ts";
import { refuseBilled } from "../media/billed-members.ts";
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
  refuseBilled("videos", extra, provider?.options);
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
