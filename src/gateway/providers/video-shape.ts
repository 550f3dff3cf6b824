import { pixelsOf, ratioOf, isRatio } from "#contract/images.ts";
import { type VideoResolution, videoResolutionOf, videoSideOf } from "#contract/video-size.ts";
import { videoRatios, type VideoStatus } from "#contract/videos.ts";
import { readText } from "./answer.ts";
import { isPathSegment } from "./path-segment.ts";
import { BadAnswer, type VideoCall, type VideoState } from "./provider.ts";

type Shape = Pick<VideoCall, "size" | "resolution" | "aspectRatio">;

/** Encoders work in blocks of so many pixels. */
const block = 8;

/** The pixels of a video, for vendors that want them; null: none are said. */
export function videoPixels({ size, resolution, aspectRatio }: Shape): string | null {
  if (size !== null) return size;
  if (resolution === null && aspectRatio === null) return null;
  const ratio = ratioOf(aspectRatio) ?? 16 / 9;
  const side = videoSideOf(resolution ?? "720p");
  const along = (length: number) => Math.round(length / block) * block;
  return ratio >= 1 ? `${along(side * ratio)}x${along(side)}` : `${along(side)}x${along(side / ratio)}`;
}

/** The proportions and the resolution, for vendors that want those; null: the pixels are of no such proportions. */
export function videoProportions({ size, resolution, aspectRatio }: Shape): {
  aspectRatio: string | null;
  resolution: VideoResolution | null;
} | null {
  const pixels = pixelsOf(size);
  if (pixels === null) return { aspectRatio, resolution };
  const near = aspectRatio ?? videoRatios.find((one) => isRatio(pixels, one)) ?? null;
  return near === null ? null : { aspectRatio: near, resolution: videoResolutionOf(pixels) };
}

/** More than any vendor makes in one job. */
export const mostVideos = 16;

/** Of vendors' names of jobs. */
const longestJob = 500;

/** @throws BadAnswer when it is no name of a job */
export function jobName(value: unknown): string {
  const name = readText(value);
  if (name === null || name.length > longestJob || !isPathSegment(name)) throw new BadAnswer("the answer names no job");
  return name;
}

/** What has not ended, whatever the vendor calls it. */
export const unfinished = (status: Extract<VideoStatus, "pending" | "in_progress">): VideoState => ({
  status,
  urls: [],
  seconds: null,
  size: null,
  error: null,
});

/** A job that has ended without a video. */
export const ended = (status: Exclude<VideoStatus, "completed">, error: string | null): VideoState => ({
  ...unfinished("pending"),
  status,
  error,
});
