import type { MatrixResult } from "../../vectors/protocol.ts";
import { shareOf, type SimilarityScale } from "../../vectors/similarity-scale.ts";

export interface MatrixScene {
  found: MatrixResult;
  /** 256 colors of four bytes */
  palette: Uint8ClampedArray;
  scale: SimilarityScale;
  /** of the hatching where a row meets itself: that 1 is no finding, and has no color of the scale */
  line: string;
  /** what lies under this is dimmed; null: nothing is */
  dim: number | null;
  /** the first row and column that are shown, and how many are */
  from: readonly [number, number];
  span: number;
}

const dimmed = 36;
/** From this size on, in CSS pixels, cells are a hairline apart. */
const gapFrom = 9;

const stepOf = ({ scale }: Pick<MatrixScene, "scale">, score: number) => Math.round(shareOf(scale, score) * 255) * 4;

/** Written as digits: a picture that leaves the page has no variables to take its colors from. */
function hex(palette: Uint8ClampedArray, step: number): string {
  return `#${[...palette.subarray(step, step + 3)].map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** The colors of all cells, four bytes each; nothing where a row meets itself. */
export function matrixPixels(scene: Pick<MatrixScene, "found" | "palette" | "scale" | "dim">) {
  const { found, palette, dim } = scene;
  const size = found.rows.length;
  const pixels = new Uint8ClampedArray(size * size * 4);
  for (let at = 0; at < found.scores.length; at += 1) {
    if (at % (size + 1) === 0) continue;
    const score = found.scores[at] ?? 0;
    const step = stepOf(scene, score);
    for (let channel = 0; channel < 3; channel += 1) pixels[at * 4 + channel] = palette[step + channel] ?? 0;
    pixels[at * 4 + 3] = dim !== null && score < dim ? dimmed : 255;
  }
  return pixels;
}

/** One pixel a cell; drawn once for each matrix, then cut out and enlarged. */
export function matrixImage(scene: Parameters<typeof matrixPixels>[0]): OffscreenCanvas {
  const size = scene.found.rows.length;
  const canvas = new OffscreenCanvas(size, size);
  canvas.getContext("2d")?.putImageData(new ImageData(matrixPixels(scene), size, size), 0, 0);
  return canvas;
}

/** @param scene with the side of the canvas in CSS pixels, and the device's pixels in each */
export function drawMatrix(
  context: CanvasRenderingContext2D,
  image: OffscreenCanvas,
  scene: Pick<MatrixScene, "from" | "span" | "line"> & { side: number; ratio: number },
): void {
  const { from, span, line, side, ratio } = scene;
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
  context.strokeStyle = line;
  context.lineWidth = ratio;
  context.stroke(new Path2D(hatching({ from, span }, whole / span)));
}

/** Three slanting lines in each cell that is shown of the diagonal. */
function hatching({ from, span }: Pick<MatrixScene, "from" | "span">, cell: number): string {
  const parts: string[] = [];
  const [down, across] = from;
  for (let at = Math.max(down, across); at < Math.min(down, across) + span; at += 1) {
    const [x, y] = [(at - across) * cell, (at - down) * cell];
    const half = cell / 2;
    const [right, bottom] = [x + cell, y + cell];
    parts.push(
      `M${x} ${y + half}L${x + half} ${y}M${x} ${bottom}L${right} ${y}M${x + half} ${bottom}L${right} ${y + half}`,
    );
  }
  return parts.join("");
}

/** What is shown of the matrix as a file that can be enlarged. */
export function matrixSvg(scene: MatrixScene): string {
  const { found, palette, dim, from, span, line } = scene;
  const size = found.rows.length;
  const cell = 20;
  const cells: string[] = [];
  for (let i = 0; i < span; i += 1) {
    for (let j = 0; j < span; j += 1) {
      if (from[0] + i === from[1] + j) continue;
      const score = found.scores[(from[0] + i) * size + from[1] + j] ?? 0;
      const faint = dim !== null && score < dim ? ` fill-opacity="${(dimmed / 255).toFixed(2)}"` : "";
      cells.push(
        `<rect x="${j * cell}" y="${i * cell}" width="19" height="19" fill="${hex(palette, stepOf(scene, score))}"${faint}/>`,
      );
    }
  }
  const side = span * cell;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side}" height="${side}">${cells.join("")}<path d="${hatching(scene, cell)}" stroke="${line}"/></svg>\n`;
}
