import { ImageBody, type ImageResolution, imageResolutions } from "#contract/images.ts";
import type { ImagesCall } from "../../providers/provider.ts";
import type { Turn } from "../../turns.ts";
import { refuseBilled } from "../media/billed-members.ts";
import type { MediaRequest } from "../media/kind.ts";
import { readMembers } from "../read-body.ts";

/** A call for images as the caller sent it, checked. What is `auto` is not said. */
export interface ImageRequest extends MediaRequest, Omit<ImagesCall, "model" | "extra" | "user"> {}

/** Values in a body. */
const mostValues = 2_000;

/** @throws Refusal invalid_request, naming the member and what would be valid */
export async function readImageRequest(bytes: Buffer, turn: Turn): Promise<ImageRequest> {
  const {
    model,
    prompt,
    n,
    size,
    resolution,
    aspect_ratio,
    quality,
    background,
    output_format,
    output_compression,
    seed,
    input_references,
    stream,
    response_format: _,
    user,
    provider,
    session_id,
    trace,
    ...extra
  } = await readMembers(ImageBody, bytes, turn, mostValues);
  refuseBilled("images", extra, provider?.options);
  const references = (input_references ?? []).map(({ image_url }) => image_url.url);
  const tier = imageResolutions.find((one) => one === size) ?? null;
  return {
    model,
    prompt,
    n: n ?? 1,
    size: tier === null ? said(size) : null,
    resolution: (resolution ?? tier) satisfies ImageResolution | null,
    aspectRatio: said(aspect_ratio),
    quality: said(quality),
    background: said(background),
    format: output_format ?? null,
    compression: output_compression ?? null,
    seed: seed ?? null,
    references,
    named: references.map((url, index) => ({ path: `input_references.${index}.image_url.url`, url })),
    stream: stream ?? false,
    user: user ?? null,
    preferences: provider ?? {},
    sessionId: session_id ?? null,
    trace: trace ?? null,
    extra,
  };
}

const said = (value: string | null | undefined) => (value === undefined || value === "auto" ? null : value);
