import { Fragment } from "react";
import type { ModelPricing } from "#contract/providers.ts";
import { cx } from "../ui/cx.ts";
import { formatPrice, perMillion } from "../token-price.ts";

/** The members of a price as they are read: tokens and characters by the million, the rest by the unit. */
const parts = [
  ["prompt", "in", true],
  ["completion", "out", true],
  ["image", "an image", false],
  ["request", "a request", false],
  ["character", "a million characters", true],
  ["second", "a second", false],
  ["output_image", "an image made", false],
] as const;

const isZero = (price: string) => /^0(\.0*)?$/.test(price);

/** What a model costs; that no price is known is said, and is not the same as free. */
export function Price({ pricing, className }: { pricing: ModelPricing | null; className?: string }) {
  if (pricing === null) return <span className={cx("text-warn-fg whitespace-nowrap", className)}>Unpriced</span>;
  const shown: { word: string; text: string }[] = parts.flatMap(([member, word, byMillion]) => {
    const price = pricing[member];
    if (price === undefined || (member !== "prompt" && isZero(price))) return [];
    return [{ word, text: formatPrice(byMillion ? perMillion(price) : price) }];
  });
  for (const { quality = "", size = "", price } of pricing.output_images ?? [])
    shown.push({ word: `${quality} ${size}`.trim(), text: formatPrice(price) });
  for (const { size, price } of pricing.seconds ?? [])
    shown.push({ word: `a second of ${size}`, text: formatPrice(price) });
  // what is paid by the second or by the image has no tokens that could be free
  const { second, seconds, character, output_image: image, output_images: images } = pricing;
  if (isZero(pricing.prompt) && shown.length > 1 && (second ?? seconds ?? character ?? image ?? images)) shown.shift();
  return (
    <span className={cx("tabular-nums", className)}>
      {shown.map(({ word, text }, index) => (
        <Fragment key={word}>
          {index > 0 && " · "}
          <span className="whitespace-nowrap">
            {text} <span className="text-fg-3">{word}</span>
          </span>
        </Fragment>
      ))}
    </span>
  );
}
