import type { EmbeddingPart } from "../provider.ts";
import { runAtOnce } from "../../turns.ts";
import { embedSteps } from "./lexical.ts";
import { colourLength, coloursOf, edgeLength, scaled } from "./visual-features.ts";

/**
 * `gatehouse/lexical-visual`: similarity of wording and of looks, not of meaning. Its vector has three parts: the
 * wording (as `gatehouse/lexical`), the colors, and the edges. A text has wording, and the colors that it names in
 * English; an image has colors and edges. So two texts are near by their words, two images by their looks, and a
 * text finds an image only by naming its color.
 */
export const visual = { id: "gatehouse/lexical-visual", dimensions: 512 } as const;

const wordingLength = visual.dimensions - colourLength - edgeLength;
/** The weight of a named color relative to the wording. */
const namedColour = 0.5;

/** The basic color words (Berlin, Kay, "Basic Color Terms", 1969) in the values of CSS, and words for much or little light. */
const colours: Readonly<Record<string, readonly [number, number, number]>> = {
  black: [0, 0, 0],
  white: [255, 255, 255],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  red: [255, 0, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  orange: [255, 165, 0],
  brown: [139, 69, 19],
  pink: [255, 192, 203],
  purple: [128, 0, 128],
  cyan: [0, 255, 255],
  magenta: [255, 0, 255],
  dark: [30, 30, 30],
  bright: [240, 240, 240],
};

/**
 * The vector of one input: unit length, the same on every machine.
 * @param features of the images in it
 */
export function embedSeen(parts: readonly EmbeddingPart[], features: readonly Float64Array[]): Float32Array {
  return runAtOnce(seenSteps(parts, features));
}

/** As embedSeen, pausing every millisecond or so. */
export function* seenSteps(
  parts: readonly EmbeddingPart[],
  features: readonly Float64Array[],
): Generator<void, Float32Array> {
  const texts = parts.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []));
  const vector = new Float64Array(visual.dimensions);
  if (texts.length > 0) add(vector, yield* ofText(texts.join("\n")), 0);
  const seen = new Float64Array(colourLength + edgeLength);
  for (const each of features) add(seen, each, 0);
  add(vector, scaled(seen), wordingLength);
  return Float32Array.from(scaled(vector));
}

function* ofText(text: string): Generator<void, Float64Array> {
  const vector = new Float64Array(wordingLength + colourLength);
  add(vector, yield* embedSteps(text, wordingLength), 0);
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const named = coloursOf(words.flatMap((word) => (Object.hasOwn(colours, word) ? [colours[word] ?? [0, 0, 0]] : [])));
  add(
    vector,
    named.map((value) => value * namedColour),
    wordingLength,
  );
  return scaled(vector);
}

function add(target: Float64Array, values: Float64Array | Float32Array, at: number) {
  for (let index = 0; index < values.length; index += 1) {
    target[at + index] = (target[at + index] ?? 0) + (values[index] ?? 0);
  }
}
