import { colours } from "./palette.ts";
import type { Shown } from "./playground.ts";

export const paints = ["label", "role", "length", "similarity"] as const;
export type PaintBy = (typeof paints)[number];

/** The colour and shape of each row, by the row's place in the run. */
export interface Paint {
  /** the names of the tokens that `colour` points into */
  tokens: readonly string[];
  colour: Uint8Array;
  shape: Uint8Array;
}

const categories = Array.from({ length: 8 }, (_, index) => `data-${index + 1}`);
const sequence = Array.from({ length: 7 }, (_, index) => `seq-${index + 1}`);

/**
 * Labels and roles get a colour and a shape of their own, lengths and similarities a place on the scale.
 * @param scores by the row's place; null where no row is selected
 */
export function paintOf(
  by: PaintBy,
  shown: readonly Shown[],
  groups: readonly string[],
  scores: Float32Array | null,
): Paint {
  const colour = new Uint8Array(shown.length);
  const shape = new Uint8Array(shown.length);
  if (by === "label" || by === "role") {
    const place = new Map(groups.map((group, index) => [group, index % 8]));
    shown.forEach(({ group, role }, row) => {
      // what has no label among labelled ones steps back to the last colour, a grey
      const own = by === "role" ? Number(role === "query") * 4 : groups.length === 0 ? 0 : (place.get(group) ?? 7);
      colour[row] = own;
      shape[row] = own;
    });
    return { tokens: categories, colour, shape };
  }
  const values = by === "length" ? Float32Array.from(shown, ({ text }) => Math.log1p(text.length)) : scores;
  if (!values) return { tokens: sequence, colour: colour.fill(3), shape };
  const sorted = values.toSorted();
  // from the 2nd to the 98th of a hundred: one far-off row must not take the whole scale for itself
  const [low, high] = [sorted[Math.floor(sorted.length * 0.02)]!, sorted[Math.floor((sorted.length - 1) * 0.98)]!];
  values.forEach((value, row) => {
    const share = high > low ? (value - low) / (high - low) : 0;
    colour[row] = Math.round(Math.max(0, Math.min(1, share)) * (sequence.length - 1));
  });
  return { tokens: sequence, colour, shape };
}

/** The tokens' colours as they are now, with ink, quiet ink and hairline behind them. */
export function resolved(element: HTMLElement, { tokens }: Paint) {
  const all = colours(element, [...tokens, "fg-1", "fg-3", "line", "accent"]);
  const [ink = "", quiet = "", line = "", accent = ""] = all.slice(tokens.length);
  const family = getComputedStyle(element).fontFamily;
  return { points: all.slice(0, tokens.length), ink, quiet, line, accent, family };
}
