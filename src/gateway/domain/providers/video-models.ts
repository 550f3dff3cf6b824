import { videoRatios, type VideoModelRecord } from "#contract/videos.ts";
import type { ModelPricing } from "#contract/providers.ts";
import type { Context, VideoModelAbility } from "../context.ts";
import { videoOffers } from "./models.ts";

/** Video models by id, each with what its providers take together. */
export function listVideo(ctx: Context): { data: VideoModelRecord[] } {
  return {
    data: videoOffers(ctx).map(({ offers, record: { id, canonical_slug, name, created, description } }) => {
      const abilities = offers.flatMap(({ provider, model }) => ctx.videoAbilityOf(provider, model.upstreamId) ?? []);
      const [first] = offers;
      const ratios = union(abilities, ({ ratios: known }) => known);
      return {
        id,
        canonical_slug,
        name,
        description,
        created,
        hugging_face_id: null,
        supported_resolutions: union(abilities, ({ resolutions }) => resolutions),
        supported_aspect_ratios: ratios === null ? null : videoRatios.filter((one) => ratios.includes(one)),
        supported_sizes: null,
        supported_durations: union(abilities, ({ durations }) => durations),
        supported_frame_images: union(abilities, ({ frames }) => frames),
        generate_audio: any(abilities, ({ audio }) => audio),
        seed: any(abilities, ({ seed }) => seed),
        creativity: null,
        upscale_factor: null,
        allowed_passthrough_parameters: [],
        pricing_skus: first?.model.row.pricing ? skusOf(first.model.row.pricing) : null,
      };
    }),
  };
}

/** What one of them takes, or several; null where one takes whatever its vendor does. */
function union<T>(
  abilities: readonly VideoModelAbility[],
  of: (ability: VideoModelAbility) => readonly T[] | null,
): T[] | null {
  const known = abilities.map(of);
  if (known.length === 0 || known.includes(null)) return null;
  return [...new Set(known.flatMap((one) => one ?? []))];
}

function any(
  abilities: readonly VideoModelAbility[],
  of: (ability: VideoModelAbility) => boolean | null,
): boolean | null {
  const known = abilities.map(of);
  if (known.includes(true)) return true;
  return known.length === 0 || known.includes(null) ? null : false;
}

function skusOf({ second, seconds = [], request, image }: ModelPricing): Record<string, string> {
  return Object.fromEntries([
    ...seconds.map(({ size, price }) => [`duration_seconds_${size}`, price]),
    ...(second === undefined ? [] : [["duration_seconds", second]]),
    ...(request === undefined ? [] : [["video", request]]),
    ...(image === undefined ? [] : [["input_image", image]]),
  ]);
}
