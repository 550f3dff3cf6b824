import { formatPrice } from "../../token-price.ts";
import type { ModelRow } from "./offers.ts";

/** From the cheapest to the dearest of those who serve it, for a million input tokens. */
export function PriceRange({ price, unpriced }: Pick<ModelRow, "price" | "unpriced">) {
  if (price === null) return <span className="text-warn-fg">Unpriced</span>;
  return (
    <>
      {formatPrice(price.least)}
      {price.most !== price.least && <span className="text-fg-3"> to {formatPrice(price.most)}</span>}
      {unpriced && <span className="text-warn-fg"> or unpriced</span>}
    </>
  );
}
