import type { MatrixResult } from "./protocol.ts";

export interface MatrixScene {
  found: MatrixResult;
  /** 256 colours of four bytes */
  palette: Uint8ClampedArray;
  /** what lies under this is dimmed; null: nothing is */
  dim: number | null;
  /** the first row and column that are shown, and how many are */
  from: readonly [number, number];
  span: number;
}

const dimmed = 36;
/** Cells from this size on, in CSS pixels, stand a hairline apart. */
const gapFrom = 9;

function stepOf({ found }: MatrixScene, score: number): number {
  return Math.round(Math.max(0, Math.min(1, (score - found.least) / (found.most - found.least || 1))) * 255) * 4;
}

/** Written as digits: a picture that leaves the page has no variables to take its colours from. */
function hex(palette: Uint8ClampedArray, step: number): string {
  return `#${[...palette.subarray(step, step + 3)].map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** One pixel a cell; drawn once for each matrix, then cut out and enlarged. */
export function matrixImage(scene: MatrixScene): OffscreenCanvas {
  const { found, palette, dim } = scene;
  const size = found.rows.length;
  const canvas = new OffscreenCanvas(size, size);
  const image = new ImageData(size, size);
  for (let at = 0; at < found.scores.length; at += 1) {
    const score = found.scores[at]!;
    const step = stepOf(scene, score);
    for (let channel = 0; channel < 3; channel += 1) image.data[at * 4 + channel] = palette[step + channel]!;
    image.data[at * 4 + 3] = dim !== null && score < dim ? dimmed : 255;
  }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return canvas;
}

/** @param side of the canvas in CSS pixels */
export function drawMatrix(
  context: CanvasRenderingContext2D,
  image: OffscreenCanvas,
  { from, span }: Pick<MatrixScene, "from" | "span">,
  side: number,
  ratio: number,
): void {
  const whole = side * ratio;
  context.imageSmoothingEnabled = false;
  context.clearRect(0, 0, whole, whole);
  context.drawImage(image, from[1], from[0], span, span, 0, 0, whole, whole);
  if (side / span < gapFrom) return;
  for (let at = 1; at < span; at += 1) {
    const place = Math.round((at / span) * whole);
    context.clearRect(place, 0, ratio, whole);
    context.clearRect(0, place, whole, ratio);
  }
}

/** What is shown of the matrix as a file that can be enlarged. */
export function matrixSvg(scene: MatrixScene): string {
  const { found, palette, dim, from, span } = scene;
  const size = found.rows.length;
  const cell = 20;
  const cells: string[] = [];
  for (let i = 0; i < span; i += 1) {
    for (let j = 0; j < span; j += 1) {
      const score = found.scores[(from[0] + i) * size + from[1] + j]!;
      const faint = dim !== null && score < dim ? ` fill-opacity="${(dimmed / 255).toFixed(2)}"` : "";
      cells.push(
        `<rect x="${j * cell}" y="${i * cell}" width="19" height="19" fill="${hex(palette, stepOf(scene, score))}"${faint}/>`,
      );
    }
  }
  const side = span * cell;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side}" height="${side}">${cells.join("")}</svg>\n`;
}
