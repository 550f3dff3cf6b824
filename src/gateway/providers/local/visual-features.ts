/**
 * What an image looks like, as numbers: its colors, and where its edges run. It knows nothing of what is shown.
 *
 * Colors: a histogram in OKLab (Ottosson, "A perceptual color space for image processing", 2020), each sample shared
 * out among the bins beside it, with the square root of each count (Hellinger: Arandjelović, Zisserman, "Three things
 * everyone should know to improve object retrieval", CVPR 2012). Edges: histograms of oriented gradients (Dalal,
 * Triggs, CVPR 2005) over a grid of cells. Both from a square of 64 × 64 means, so that size and format hardly matter;
 * proportions are not kept.
 */

/** Decoded pixels: four bytes each, red, green, blue and opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray | Uint8Array;
}

const side = 64;
const lightBins = 4;
const chromaBins = 6;
/** OKLab's a and b of all sRGB colors lie within. */
const chromaReach = 0.32;
const cells = 4;
const orientations = 8;

export const colourLength = lightBins * chromaBins * chromaBins;
export const edgeLength = cells * cells * orientations;

/** Weaker edges than those of noise are ignored. */
const leastEdges = 1e-3;
const colourShare = 0.8;
const edgeShare = 0.6;

/** The visual features of an image: colors, then edges; unit length. */
export function featuresOf(pixels: Pixels): Float64Array {
  const samples = sampled(pixels);
  const colours = new Float64Array(colourLength);
  const light = new Float64Array(side * side);
  for (let index = 0; index < light.length; index += 1) {
    const lab = toOklab(samples[index * 3] ?? 0, samples[index * 3 + 1] ?? 0, samples[index * 3 + 2] ?? 0);
    light[index] = lab[0];
    addColour(colours, lab);
  }
  const features = new Float64Array(colourLength + edgeLength);
  put(features, 0, rooted(colours), colourShare);
  put(features, colourLength, edgesOf(light), edgeShare);
  return scaled(features);
}

/** The colors of a text that names some, as sRGB bytes: as those of an image in equal parts; unit length. */
export function coloursOf(named: readonly (readonly [number, number, number])[]): Float64Array {
  const colours = new Float64Array(colourLength);
  for (const [red, green, blue] of named) {
    addColour(colours, toOklab(linear[red] ?? 0, linear[green] ?? 0, linear[blue] ?? 0));
  }
  return rooted(colours);
}

/** Scaled to length 1; nothing stays nothing. */
export function scaled(vector: Float64Array): Float64Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return squares === 0 ? vector : vector.map((value) => value / Math.sqrt(squares));
}

function rooted(counts: Float64Array): Float64Array {
  return scaled(counts.map((count) => Math.sqrt(count)));
}

function put(target: Float64Array, at: number, values: Float64Array, share: number) {
  for (let index = 0; index < values.length; index += 1) target[at + index] = share * (values[index] ?? 0);
}

/** Linear light of an sRGB byte, 0 to 1 (IEC 61966-2-1). */
const linear = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** The image as 64 × 64 means of linear light, on white where it is transparent. */
function sampled({ width, height, data }: Pixels): Float64Array {
  const means = new Float64Array(side * side * 3);
  for (let row = 0; row < side; row += 1) {
    const [top, bottom] = span(row, height);
    for (let column = 0; column < side; column += 1) {
      const [left, right] = span(column, width);
      let [red, green, blue] = [0, 0, 0];
      for (let y = top; y < bottom; y += 1) {
        for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
          const opacity = (data[at + 3] ?? 255) / 255;
          red += opacity * (linear[data[at] ?? 0] ?? 0) + 1 - opacity;
          green += opacity * (linear[data[at + 1] ?? 0] ?? 0) + 1 - opacity;
          blue += opacity * (linear[data[at + 2] ?? 0] ?? 0) + 1 - opacity;
        }
      }
      const count = (bottom - top) * (right - left);
      means.set([red / count, green / count, blue / count], (row * side + column) * 3);
    }
  }
  return means;
}

/** The pixels that fall into a sample; at least one, where an image is smaller than the square. */
function span(index: number, length: number): [from: number, to: number] {
  const from = Math.floor((index * length) / side);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * length) / side))];
}

type Lab = readonly [light: number, a: number, b: number];

function toOklab(red: number, green: number, blue: number): Lab {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Shares one sample out among the eight bins around it. */
function addColour(colours: Float64Array, [light, a, b]: Lab) {
  for (const [i, x] of around(light, lightBins)) {
    for (const [j, y] of around((a + chromaReach) / (2 * chromaReach), chromaBins)) {
      for (const [k, z] of around((b + chromaReach) / (2 * chromaReach), chromaBins)) {
        const at = (i * chromaBins + j) * chromaBins + k;
        colours[at] = (colours[at] ?? 0) + x * y * z;
      }
    }
  }
}

/** The two bins whose centers a value from 0 to 1 lies between, with its share in each. */
function around(value: number, bins: number): readonly (readonly [bin: number, share: number])[] {
  const position = Math.min(bins - 1, Math.max(0, value * bins - 0.5));
  const bin = Math.min(bins - 2, Math.floor(position));
  const share = position - bin;
  return [
    [bin, 1 - share],
    [bin + 1, share],
  ];
}

function edgesOf(light: Float64Array): Float64Array {
  const edges = new Float64Array(edgeLength);
  let total = 0;
  for (let y = 1; y < side - 1; y += 1) {
    for (let x = 1; x < side - 1; x += 1) {
      const dx = (light[y * side + x + 1] ?? 0) - (light[y * side + x - 1] ?? 0);
      const dy = (light[(y + 1) * side + x] ?? 0) - (light[(y - 1) * side + x] ?? 0);
      const strength = Math.sqrt(dx * dx + dy * dy);
      if (strength === 0) continue;
      total += strength;
      const turn = ((Math.atan2(dy, dx) + Math.PI) / Math.PI) % 1;
      const position = turn * orientations;
      const bin = Math.floor(position) % orientations;
      const share = position - Math.floor(position);
      const cell = (Math.floor((y * cells) / side) * cells + Math.floor((x * cells) / side)) * orientations;
      const next = (bin + 1) % orientations;
      edges[cell + bin] = (edges[cell + bin] ?? 0) + strength * (1 - share);
      edges[cell + next] = (edges[cell + next] ?? 0) + strength * share;
    }
  }
  return total / (side * side) < leastEdges ? new Float64Array(edgeLength) : rooted(edges);
}
