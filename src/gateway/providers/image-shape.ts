import {
  aspectRatios,
  type ImageResolution,
  isRatio,
  pixelsOf,
  ratioOf,
  resolutionOf,
  sideOf,
} from "#contract/images.ts";
import type { ImagesCall } from "./provider.ts";

type Shape = Pick<ImagesCall, "size" | "resolution" | "aspectRatio">;

/** What OpenAI's models make of about a million pixels. */
const usual: Readonly<Record<string, string>> = { "1:1": "1024x1024", "3:2": "1536x1024", "2:3": "1024x1536" };
/** Models work in blocks of so many pixels. */
const block = 16;

/** The pixels of an image, for vendors that want them; null: none are said. */
export function sizeOf({ size, resolution, aspectRatio }: Shape): string | null {
  if (size !== null) return size;
  const ratio = ratioOf(aspectRatio);
  if (ratio === null && resolution === null) return null;
  if ((resolution ?? "1K") === "1K" && usual[aspectRatio ?? "1:1"] !== undefined)
    return usual[aspectRatio ?? "1:1"] ?? null;
  const side = sideOf[resolution ?? "1K"];
  const along = (length: number) => Math.round(length / block) * block;
  return `${along(side * Math.sqrt(ratio ?? 1))}x${along(side / Math.sqrt(ratio ?? 1))}`;
}

/** The proportions and the resolution, for vendors that want those; null: the pixels are of no such proportions. */
export function proportionsOf({ size, resolution, aspectRatio }: Shape): {
  aspectRatio: string | null;
  resolution: ImageResolution | null;
} | null {
  const pixels = pixelsOf(size);
  if (pixels === null) return { aspectRatio, resolution };
  const near = aspectRatio ?? aspectRatios.find((one) => isRatio(pixels, one)) ?? null;
  return near === null ? null : { aspectRatio: near, resolution: resolutionOf(pixels) };
}
