/** Resolutions of videos, smallest first. */
export const videoResolutions = ["480p", "720p", "768p", "1K", "1080p", "2K", "4K"] as const;
export type VideoResolution = (typeof videoResolutions)[number];

/** The shorter side of a video, in pixels. */
const sides: Readonly<Record<VideoResolution, number>> = {
  "480p": 480,
  "720p": 720,
  "768p": 768,
  "1K": 1_024,
  "1080p": 1_080,
  "2K": 1_440,
  "4K": 2_160,
};

/** The resolution whose shorter side these pixels come nearest to. */
export function videoResolutionOf({ width, height }: { width: number; height: number }): VideoResolution {
  const side = Math.min(width, height);
  return videoResolutions.reduce((best, one) =>
    Math.abs(sides[one] - side) < Math.abs(sides[best] - side) ? one : best,
  );
}

/** The shorter side, in pixels. */
export const videoSideOf = (resolution: VideoResolution): number => sides[resolution];
