import { formatCount } from "../../format.ts";
import type { Run } from "./playground.ts";
import type { VectorSlice } from "../../vectors/protocol.ts";

/** How long a run's vectors are as they are looked at, and as they came where that is longer. */
export function dimensionLabel(
  { dimensions }: Pick<Run, "dimensions">,
  slice: Pick<VectorSlice, "used"> | undefined,
): string {
  const all = dimensions ?? 0;
  const used = slice?.used ?? all;
  return used < all
    ? `first ${formatCount(used)} of ${formatCount(all)} dimensions`
    : `${formatCount(all)} ${all === 1 ? "dimension" : "dimensions"}`;
}
