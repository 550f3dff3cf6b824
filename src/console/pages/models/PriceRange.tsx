import { formatPrice } from "../../token-price.ts";
import type { ModelRow, PriceSpan } from "./offers.ts";

/** The lowest and the highest price of its providers for a million input tokens, and what a call costs in addition. */
export function PriceRange({
  price,
  image,
  request,
  character,
  second,
  output_image,
  unpriced,
}: Pick<ModelRow, "price" | "image" | "request" | "character" | "second" | "output_image" | "unpriced">) {
  if (price === null) return <span className="text-warn-fg">Unpriced</span>;
  const besides = [
    { span: image, per: "an image" },
    { span: request, per: "a request" },
    { span: character, per: "a million characters" },
    { span: second, per: "a second" },
    { span: output_image, per: "an image made" },
  ].flatMap(({ span, per }) => (span === null || Number(span.most) === 0 ? [] : [`${spanText(span)} ${per}`]));
  const isFreeByToken = Number(price.most) === 0;
  return (
    <>
      {isFreeByToken && besides.length > 0 ? besides.join(", ") : formatPrice(price.least)}
      {price.most !== price.least && <span className="text-fg-3"> to {formatPrice(price.most)}</span>}
      {unpriced && <span className="text-warn-fg"> or unpriced</span>}
      {!isFreeByToken && besides.length > 0 && (
        <span className="block truncate text-11/4 text-fg-2">and {besides.join(", ")}</span>
      )}
    </>
  );
}

function spanText({ least, most }: PriceSpan): string {
  return least === most ? formatPrice(most) : `${formatPrice(least)} to ${formatPrice(most)}`;
}
