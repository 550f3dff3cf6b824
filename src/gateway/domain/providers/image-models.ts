import {
  aspectRatios,
  type ImageEndpointRecord,
  imageBackgrounds,
  imageFormats,
  type ImageModelRecord,
  type ImagePrice,
  imageQualities,
  imageResolutions,
  mostImageReferences,
  mostImages,
  type ParameterDescriptor,
} from "#contract/images.ts";
import { basePath as apiPath } from "#contract/api.ts";
import type { ModelPricing } from "#contract/providers.ts";
import type { Context } from "../context.ts";
import { notFound } from "../refusal.ts";
import type { Offer } from "../routing/catalog.ts";
import { architecture } from "./model-record.ts";
import { imageOffers } from "./models.ts";

type Parameters = ImageModelRecord["supported_parameters"];

/** What each member may be; `size` is any number of pixels. */
const descriptors: Readonly<Record<string, ParameterDescriptor>> = {
  n: { type: "range", min: 1, max: mostImages },
  resolution: { type: "enum", values: [...imageResolutions] },
  aspect_ratio: { type: "enum", values: [...aspectRatios] },
  quality: { type: "enum", values: [...imageQualities] },
  background: { type: "enum", values: [...imageBackgrounds] },
  output_format: { type: "enum", values: [...imageFormats] },
  output_compression: { type: "range", min: 0, max: 100 },
  seed: { type: "range", min: 0, max: 2_147_483_647 },
  input_references: { type: "range", min: 0, max: mostImageReferences },
};

/** Image models by id, each with what its providers take together. */
export function listImage(ctx: Context): { data: ImageModelRecord[] } {
  return {
    data: imageOffers(ctx).map(({ offers, record: { id, name, created, description } }) => {
      const { input_modalities, output_modalities } = architecture(offers);
      return {
        id,
        name,
        created,
        description,
        architecture: { input_modalities, output_modalities },
        supported_parameters: Object.assign({}, ...offers.map((offer) => parametersOf(ctx, offer))) as Parameters,
        supports_streaming: offers.some((offer) => streams(ctx, offer)),
        endpoints: `${ctx.basePath}${apiPath}/images/models/${id}/endpoints`,
      };
    }),
  };
}

/** @throws Refusal not_found */
export function imageEndpoints(ctx: Context, id: string): { id: string; endpoints: ImageEndpointRecord[] } {
  const found = imageOffers(ctx).find(({ record }) => record.id === id);
  if (found === undefined)
    throw notFound(`No provider here offers the image model ${id}; GET /images/models lists what there is`);
  return { id, endpoints: found.offers.map((offer) => endpointOf(ctx, offer)) };
}

function endpointOf(ctx: Context, offer: Offer): ImageEndpointRecord {
  const { provider, model } = offer;
  return {
    provider_name: provider.name,
    provider_slug: provider.slug,
    provider_tag: provider.slug,
    supported_parameters: parametersOf(ctx, offer),
    allowed_passthrough_parameters: [],
    supports_streaming: streams(ctx, offer),
    pricing: model.row.pricing === null ? [] : pricesOf(model.row.pricing),
  };
}

function parametersOf({ imageAbilityOf }: Context, { provider, model }: Offer): Parameters {
  const taken = imageAbilityOf(provider, model.upstreamId).parameters;
  const stated = model.supportedParameters;
  const names = taken.filter((name) => stated === null || stated.includes(name));
  return Object.fromEntries(
    names.flatMap((name) => (descriptors[name] === undefined ? [] : [[name, descriptors[name]]])),
  );
}

const streams = ({ imageAbilityOf }: Context, { provider, model }: Offer) =>
  imageAbilityOf(provider, model.upstreamId).streams;

function pricesOf({ prompt, completion, image, output_image, output_images = [] }: ModelPricing): ImagePrice[] {
  const general = [
    { billable: "input_text", unit: "token", price: prompt },
    { billable: "output_image", unit: "token", price: completion },
    { billable: "input_image", unit: "image", price: image },
    { billable: "output_image", unit: "image", price: output_image },
  ] as const;
  return [
    ...general.flatMap(({ price, ...what }) => (Number(price ?? 0) > 0 ? [{ ...what, cost_usd: Number(price) }] : [])),
    ...output_images.map(({ quality, size, price }): ImagePrice => ({
      billable: "output_image",
      unit: "image",
      cost_usd: Number(price),
      variant: [quality, size].filter((part) => part !== undefined).join(" "),
    })),
  ];
}
