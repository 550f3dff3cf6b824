import type { MatrixResult, PairMedian } from "./protocol.ts";

/** The cosines at the two ends of a scale of colors. */
export interface SimilarityScale {
  from: number;
  to: number;
  /** true: the ends are the least and the most similar pair, whatever they come to */
  stretched: boolean;
}

/** From this cosine on, two rows say nearly the same. */
export const nearlySame = 0.95;

/** Cosines that are lower are more than the noise around 0. */
const opposed = -0.1;

/**
 * The scale of a matrix. Its ends are fixed: 1, what a row has with itself, and 0, whose color a little less than 0 has as
 * well; or −1 where a pair is really opposed. So 0.63 looks like 0.63 whatever else is there. Stretched, it shows small
 * differences and says nothing of how much they are.
 */
export function similarityScale(
  { least, most }: Pick<MatrixResult, "least" | "most">,
  stretched: boolean,
): SimilarityScale {
  if (stretched && most > least) return { from: least, to: most, stretched: true };
  return { from: least < opposed ? -1 : 0, to: 1, stretched: false };
}

/** So near to 0, and of so many pairs, is what half of the pairs stay under where 0 is unrelated. */
const [aboutZero, fewestPairs] = [0.05, 20];

/**
 * Whether 0 means unrelated for what made the vectors: it does where half of the pairs drawn at random have about 0 or
 * less. Many models give every pair 0.2, or 0.7.
 */
export function zeroIsUnrelated(random: PairMedian | null): boolean {
  return random !== null && random.pairs >= fewestPairs && random.median <= aboutZero;
}

/** Where a cosine lies on the scale, 0 to 1. */
export function shareOf({ from, to }: SimilarityScale, score: number): number {
  return Math.max(0, Math.min(1, (score - from) / (to - from)));
}

/** float32 has 0.94 as 0.93999999: so much of a hundredth is no difference. */
const noise = 1e-5;

/**
 * Two digits, and no minus before a zero.
 * @param round where the sentence says "or more", `floor`; where it says "or less", `ceil`: else it would not be true
 */
export function cosineText(score: number, round: "nearest" | "floor" | "ceil" = "nearest"): string {
  const hundredths = score * 100;
  const whole =
    round === "floor"
      ? Math.floor(hundredths + noise)
      : round === "ceil"
        ? Math.ceil(hundredths - noise)
        : Math.round(hundredths);
  // a score under the threshold is not written like the threshold, but where it says "or less"
  const rounded = round !== "ceil" && score < nearlySame && whole >= nearlySame * 100 ? Math.floor(hundredths) : whole;
  return (rounded / 100 || 0).toFixed(2);
}

/** The color at a place on the scale, as the theme has it. */
export function scaleColor(share: number): string {
  const at = share * 7;
  const low = Math.min(6, Math.floor(at));
  return `color-mix(in oklab, var(--seq-${low + 1}) ${Math.round((at - low) * 100)}%, var(--seq-${low}))`;
}
