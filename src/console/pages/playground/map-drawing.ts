import type { Paint, resolved } from "./map-paint.ts";
import { stampPoints } from "./map-pixels.ts";
import { shapePaths } from "./shapes.ts";

export interface MapScene {
  width: number;
  height: number;
  ratio: number;
  places: Float32Array;
  zero: readonly [number, number];
  /** the table's row of each point */
  rows: Int32Array;
  paint: Paint;
  colours: ReturnType<typeof resolved>;
  /** points, not rows */
  selected: number;
  near: readonly number[];
  /** points that were picked; null: none were */
  picked: ReadonlySet<number> | null;
  numberOf: (row: number) => number;
  /** the line that is being drawn around points */
  outline: readonly number[];
}

/** From this many points on each is a small square: shapes could not be told apart, and would take too long. */
const mostShapes = 2_000;
/** … unless colours alone would not tell them apart: then shapes are drawn once and stamped. */
const mostColours = 8;
const stampSize = 10;
const stampScale = 0.75;
/** How much is left of points that are not looked at. */
const faint = 0.62;
let shapes: Path2D[] | undefined;
const stamps = new Map<string, ImageData>();
let sheet: ImageData | undefined;

/** Draws the whole map. One pass for each colour, so that the canvas changes colour eight times and not once a point. */
export function drawMap(context: CanvasRenderingContext2D, scene: MapScene): void {
  const { width, height, ratio, places, zero, colours, selected, near, picked } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.fillStyle = colours.line;
  context.fillRect(Math.round(zero[0]), 0, 1, height);
  context.fillRect(0, Math.round(zero[1]), width, 1);
  const bright = picked ?? (selected === -1 ? null : new Set([selected, ...near]));
  if (isStamped(scene)) stampAll(context, scene, bright);
  else if (bright) {
    context.globalAlpha = faint;
    fillPoints(context, scene, (at) => !bright.has(at));
    context.globalAlpha = 1;
    fillPoints(context, scene, (at) => bright.has(at));
  } else fillPoints(context, scene, () => true);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (selected !== -1) markSelected(context, scene, places[2 * selected]!, places[2 * selected + 1]!);
  if (scene.outline.length > 2) drawOutline(context, scene);
}

function fillPoints(context: CanvasRenderingContext2D, scene: MapScene, wanted: (at: number) => boolean): void {
  const { width, height, ratio, places, rows, paint, colours } = scene;
  shapes ??= shapePaths.map((path) => new Path2D(path));
  const small = rows.length > mostShapes;
  for (let colour = 0; colour < colours.points.length; colour += 1) {
    context.fillStyle = colours.points[colour]!;
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]!;
      if (paint.colour[row] !== colour || !wanted(at)) continue;
      const [x, y] = [places[2 * at]!, places[2 * at + 1]!];
      if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
      if (small) context.fillRect(x - 2, y - 2, 4, 4);
      else {
        context.setTransform(ratio, 0, 0, ratio, x * ratio, y * ratio);
        context.fill(shapes[paint.shape[row]!]!, "evenodd");
      }
    }
  }
}

function isStamped({ rows, paint: { legend } }: MapScene): boolean {
  return rows.length > mostShapes && legend.kind === "marks" && legend.entries.length > mostColours;
}

/** Ground, cross and all points as pixels. */
function stampAll(context: CanvasRenderingContext2D, scene: MapScene, bright: ReadonlySet<number> | null): void {
  const { width, height } = context.canvas;
  const { ratio, places, zero, rows, paint, colours } = scene;
  if (width === 0 || height === 0) return;
  if (sheet?.width !== width || sheet.height !== height) sheet = new ImageData(width, height);
  const pixels = new Uint32Array(sheet.data.buffer).fill(wordOf(colours.ground, ratio));
  const line = wordOf(colours.line, ratio);
  const [column, row] = zero.map((place) => Math.round(Math.round(place) * ratio)) as [number, number];
  for (let step = 0; step < ratio; step += 1) {
    if (row + step >= 0 && row + step < height) pixels.fill(line, (row + step) * width, (row + step + 1) * width);
    if (column + step < 0 || column + step >= width) continue;
    for (let at = column + step; at < pixels.length; at += width) pixels[at] = line;
  }
  const own: ImageData[] = [];
  const stampAt = (at: number) => {
    const place = rows[at]!;
    const mark = paint.colour[place]! * 8 + paint.shape[place]!;
    return (own[mark] ??= stampOf(colours.points[paint.colour[place]!]!, paint.shape[place]!, ratio));
  };
  if (bright) {
    stampPoints(sheet, places, ratio, (at) => (bright.has(at) ? null : stampAt(at)), faint);
    stampPoints(sheet, places, ratio, (at) => (bright.has(at) ? stampAt(at) : null), 1);
  } else stampPoints(sheet, places, ratio, stampAt, 1);
  context.putImageData(sheet, 0, 0);
}

/** A colour as one pixel's four bytes: the middle of a square is covered whole. */
function wordOf(colour: string, ratio: number): number {
  const { data, width, height } = stampOf(colour, 1, ratio);
  const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return new Uint32Array(data.slice(middle, middle + 4).buffer)[0] ?? 0;
}

/** A shape in a colour as a small picture, drawn once. */
function stampOf(colour: string, shape: number, ratio: number): ImageData {
  const key = `${colour} ${shape} ${ratio}`;
  let stamp = stamps.get(key);
  if (!stamp) {
    // of a theme or a screen that was left, none are needed any more
    if (stamps.size > 128) stamps.clear();
    const size = Math.ceil(stampSize * ratio);
    const context = new OffscreenCanvas(size, size).getContext("2d", { willReadFrequently: true });
    if (!context) return new ImageData(size, size);
    context.setTransform(stampScale * ratio, 0, 0, stampScale * ratio, size / 2, size / 2);
    context.fillStyle = colour;
    shapes ??= shapePaths.map((path) => new Path2D(path));
    context.fill(shapes[shape]!, "evenodd");
    stamp = context.getImageData(0, 0, size, size);
    stamps.set(key, stamp);
  }
  return stamp;
}

/** A ring, and dotted lines to the true neighbours, which carry their numbers. */
function markSelected(context: CanvasRenderingContext2D, scene: MapScene, x: number, y: number): void {
  const { places, near, colours, rows, numberOf } = scene;
  context.lineWidth = 1;
  context.strokeStyle = colours.quiet;
  context.font = `11px ${colours.family}`;
  context.setLineDash([1.5, 2.5]);
  context.beginPath();
  for (const at of near) {
    context.moveTo(x, y);
    context.lineTo(places[2 * at]!, places[2 * at + 1]!);
  }
  context.stroke();
  context.setLineDash([]);
  // numbers stand among thousands of points: a border in the ground's colour keeps them legible
  context.lineJoin = "round";
  for (const at of near) {
    const [words, left, base] = [String(numberOf(rows[at]!)), places[2 * at]! + 9, places[2 * at + 1]! + 4];
    context.lineWidth = 4;
    context.strokeStyle = colours.ground;
    context.strokeText(words, left, base);
    context.fillStyle = colours.ink;
    context.fillText(words, left, base);
  }
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, 11, 0, 2 * Math.PI);
  context.stroke();
}

function drawOutline(context: CanvasRenderingContext2D, { outline, colours }: MapScene): void {
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let i = 0; i < outline.length; i += 2) context.lineTo(outline[i]!, outline[i + 1]!);
  context.closePath();
  context.stroke();
  context.globalAlpha = 0.08;
  context.fillStyle = colours.accent;
  context.fill();
  context.globalAlpha = 1;
}
