import type { MatrixResult } from "./protocol.ts";

/** The cosines at the two ends of a scale of colors. */
export interface SimilarityScale {
  from: number;
  to: number;
  /** true: the ends are the least and the most similar pair, whatever they come to */
  stretched: boolean;
}

/**
 * The scale of a matrix. It ends at 1, what a row has with itself, and begins at 0, or lower where a pair is lower: 0.63
 * looks like 0.63 whatever else is there. Stretched, it shows small differences and says nothing of how much they are.
 */
export function similarityScale(
  { least, most }: Pick<MatrixResult, "least" | "most">,
  stretched: boolean,
): SimilarityScale {
  if (stretched && most > least) return { from: least, to: most, stretched: true };
  return { from: Math.min(0, least), to: 1, stretched: false };
}

/** Where a cosine lies on the scale, 0 to 1. */
export function shareOf({ from, to }: SimilarityScale, score: number): number {
  return Math.max(0, Math.min(1, (score - from) / (to - from)));
}

/** Two digits, and no minus before a zero. */
export function cosineText(score: number): string {
  return (Math.round(score * 100) / 100 || 0).toFixed(2);
}

/** The color at a place on the scale, as the theme has it. */
export function scaleColor(share: number): string {
  const at = share * 7;
  const low = Math.min(6, Math.floor(at));
  return `color-mix(in oklab, var(--seq-${low + 1}) ${Math.round((at - low) * 100)}%, var(--seq-${low}))`;
}
