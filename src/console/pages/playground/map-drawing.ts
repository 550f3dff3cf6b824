import { pointOf } from "../../vectors/plane.ts";
import { joined, questionPosition, type Hit } from "./map-positions.ts";
import { markOfRow, type Paint, type resolved } from "./map-paint.ts";
import { mixedOrder, opacityOf } from "./map-order.ts";
import { placeTags, type Tag } from "./map-tags.ts";
import { placeTexts } from "./map-texts.ts";
import type { PlacedTitle } from "./map-titles.ts";
import { stampPoints } from "./map-pixels.ts";
import type { Sprite } from "./map-sprites.ts";
import { questionPath, shapePaths } from "./shapes.ts";

export interface MapScene {
  width: number;
  height: number;
  ratio: number;
  positions: Float32Array;
  /** where the axes cross; null: they mean nothing, and are not drawn */
  zero: readonly [number, number] | null;
  /** the table's row of each point */
  rows: Int32Array;
  paint: Paint;
  colours: ReturnType<typeof resolved>;
  /** points, not rows */
  selected: number;
  near: readonly number[];
  /** by row: its picture, drawn in place of a shape; null: rows have none, or there are too many */
  sprites: readonly (Sprite | null)[] | null;
  /** a picture's longer side */
  side: number;
  /** points nearest to the question, the nearest first */
  hits: readonly Hit[];
  /** points that were picked; null: none were */
  picked: ReadonlySet<number> | null;
  numberOf: (row: number) => number;
  /** written at points once few are in sight; "": nothing is */
  textOf: (row: number) => string;
  /** the names of groups, where they are drawn */
  titles: readonly PlacedTitle[];
  /** the line that is being drawn around points */
  outline: readonly number[];
}

type Position = readonly [x: number, y: number];

/** From this many points on each shape is drawn once and stamped, smaller: paths would take too long. */
const mostShapes = 2_000;
const stampSize = 8;
const stampScale = 0.6;
/** The opacity of points that are not in focus. */
const faint = 0.62;
const shapes: Path2D[] = [];
const shapeOf = (shape: number) => (shapes[shape] ??= new Path2D(shapePaths[shape]));
const shapeOfQuestion = () => new Path2D(questionPath);
const stamps = new Map<string, ImageData>();
let sheet: ImageData | undefined;

/** Draws the whole map. */
export function drawMap(context: CanvasRenderingContext2D, scene: MapScene): void {
  const { width, height, ratio, positions, zero, colours, selected, near, picked } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  if (zero) {
    context.fillStyle = colours.line;
    context.fillRect(Math.round(zero[0]), 0, 1, height);
    context.fillRect(0, Math.round(zero[1]), width, 1);
  }
  const bright = picked ?? (selected === -1 ? null : new Set([selected, ...near]));
  if (isStamped(scene)) stampAll(context, scene, bright);
  else if (bright) {
    context.globalAlpha = faint;
    fillPoints(context, scene, (at) => !bright.has(at));
    context.globalAlpha = 1;
    fillPoints(context, scene, (at) => bright.has(at));
  } else fillPoints(context, scene, () => true);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  writeTitles(context, scene);
  const question = questionPosition(positions, scene.hits);
  markHits(context, scene, question);
  if (selected !== -1) markSelected(context, scene, pointOf(positions, selected));
  writeTags(context, scene, question);
  if (question) markQuestion(context, scene, question);
  if (scene.outline.length > 2) drawOutline(context, scene);
}

function fillPoints(context: CanvasRenderingContext2D, scene: MapScene, wanted: (at: number) => boolean): void {
  const { width, height, ratio, positions, rows, paint, colours, sprites, side } = scene;
  const beyond = 9 + side / 2;
  for (const at of mixedOrder(rows.length)) {
    if (!wanted(at)) continue;
    const [x, y] = pointOf(positions, at);
    if (x < -beyond || y < -beyond || x > width + beyond || y > height + beyond) continue;
    const row = rows[at] ?? 0;
    context.fillStyle = colours.points[paint.colour[row] ?? 0] ?? colours.ink;
    const sprite = sprites?.[row];
    if (sprite) {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawSprite(context, scene, sprite, [x, y]);
    } else {
      context.setTransform(ratio, 0, 0, ratio, x * ratio, y * ratio);
      context.fill(shapeOf(paint.shape[row] ?? 0), "evenodd");
    }
  }
}

/** A row's picture around its point, with a frame in the point's color where colors mean something. */
function drawSprite(context: CanvasRenderingContext2D, scene: MapScene, sprite: Sprite, [x, y]: Position): void {
  const [width, height] = [sprite.width * scene.side, sprite.height * scene.side];
  const [left, top] = [Math.round(x - width / 2), Math.round(y - height / 2)];
  const { legend } = scene.paint;
  const edge = legend.kind === "scale" || legend.entries.length > 0 ? 2 : 1;
  if (edge === 1) context.fillStyle = scene.colours.quiet;
  context.fillRect(left - edge, top - edge, width + 2 * edge, height + 2 * edge);
  context.drawImage(sprite.image, left, top, width, height);
}

const isStamped = ({ rows, sprites }: MapScene): boolean => rows.length > mostShapes && sprites === null;

/** Ground, axes and all points as pixels. */
function stampAll(context: CanvasRenderingContext2D, scene: MapScene, bright: ReadonlySet<number> | null): void {
  const { width, height } = context.canvas;
  const { ratio, positions, zero, rows, paint, colours } = scene;
  if (width === 0 || height === 0) return;
  if (sheet?.width !== width || sheet.height !== height) sheet = new ImageData(width, height);
  const pixels = new Uint32Array(sheet.data.buffer).fill(wordOf(colours.ground, ratio));
  if (zero) stampAxes(pixels, { width, height, ratio, zero, line: wordOf(colours.line, ratio) });
  const own: ImageData[] = [];
  const stampAt = (at: number) => {
    const { colour, shape } = markOfRow(paint, rows[at] ?? 0);
    return (own[colour * 8 + shape] ??= stampOf(colours.points[colour] ?? colours.ink, shape, ratio));
  };
  const order = mixedOrder(rows.length);
  const alpha = opacityOf(rows.length);
  if (bright) {
    stampPoints(sheet, positions, (at) => (bright.has(at) ? null : stampAt(at)), {
      ratio,
      order,
      alpha: alpha * faint,
    });
    stampPoints(sheet, positions, (at) => (bright.has(at) ? stampAt(at) : null), { ratio, order, alpha: 1 });
  } else stampPoints(sheet, positions, stampAt, { ratio, order, alpha });
  context.putImageData(sheet, 0, 0);
}

type Axes = Pick<MapScene, "width" | "height" | "ratio"> & { zero: Position; line: number };

function stampAxes(pixels: Uint32Array, { width, height, ratio, zero, line }: Axes): void {
  const [column, row] = zero.map((at) => Math.round(Math.round(at) * ratio)) as [number, number];
  for (let step = 0; step < ratio; step += 1) {
    if (row + step >= 0 && row + step < height) pixels.fill(line, (row + step) * width, (row + step + 1) * width);
    if (column + step < 0 || column + step >= width) continue;
    for (let at = column + step; at < pixels.length; at += width) pixels[at] = line;
  }
}

/** A color as one pixel's four bytes: the middle of a square is covered whole. */
function wordOf(colour: string, ratio: number): number {
  const { data, width, height } = stampOf(colour, 1, ratio);
  const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return new Uint32Array(data.slice(middle, middle + 4).buffer)[0] ?? 0;
}

/** A shape in a color as a small picture, drawn once. */
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
    context.fill(shapeOf(shape), "evenodd");
    stamp = context.getImageData(0, 0, size, size);
    stamps.set(key, stamp);
  }
  return stamp;
}

/** In ink with a border in the background color: they are read over points of any color. */
function writeTitles(context: CanvasRenderingContext2D, { titles, colours }: MapScene): void {
  context.textAlign = "center";
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = colours.ground;
  context.fillStyle = colours.ink;
  for (const { text, x, y, isPlace } of titles) {
    context.font = titleFont(colours.family, isPlace);
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
  context.textAlign = "left";
}

/** Of groups, and of smaller places within them. */
export const titleFont = (family: string, isPlace = false) => `${isPlace ? "500 11px" : "600 12px"} ${family}`;

/** A ring, and dotted lines to the true neighbors. */
function markSelected(context: CanvasRenderingContext2D, scene: MapScene, [x, y]: Position): void {
  const { positions, near, colours, sprites, side } = scene;
  context.lineWidth = 1;
  context.strokeStyle = colours.quiet;
  context.setLineDash([1.5, 2.5]);
  context.beginPath();
  for (const at of near) {
    context.moveTo(x, y);
    context.lineTo(...pointOf(positions, at));
  }
  context.stroke();
  context.setLineDash([]);
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  context.beginPath();
  if (sprites) context.rect(x - side / 2 - 4, y - side / 2 - 4, side + 8, side + 8);
  else context.arc(x, y, 11, 0, 2 * Math.PI);
  context.stroke();
}

/** The lines of the question to its nearest rows, and a ring around each row that answers it. */
function markHits(context: CanvasRenderingContext2D, scene: MapScene, question: Position | null): void {
  const { positions, hits, colours } = scene;
  if (question) joinQuestion(context, scene, question);
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.5;
  for (const { at } of hits) {
    context.beginPath();
    context.arc(...pointOf(positions, at), radiusOf(scene), 0, 2 * Math.PI);
    context.stroke();
  }
}

const radiusOf = ({ sprites, side }: MapScene) => (sprites ? side * 0.7 : 8);

/** The ranks of what answers the question, then the numbers of the selected row's neighbors, as far as they find room. */
function writeTags(context: CanvasRenderingContext2D, scene: MapScene, question: Position | null): void {
  const { positions, hits, near, selected, rows, numberOf, sprites, side, colours, titles, width, height } = scene;
  context.font = `11px ${colours.family}`;
  const tagAt = (at: number, tag: Omit<Tag, "x" | "y">): Tag => {
    const [x, y] = pointOf(positions, at);
    return { ...tag, x, y };
  };
  const ranks = hits.map(({ at }, rank) =>
    tagAt(at, { text: `#${rank + 1}`, away: radiusOf(scene) + 2, side: "left" }),
  );
  const clear = sprites ? side / 2 + 4 : 9;
  const numbers =
    selected === -1
      ? []
      : near.map((at) => tagAt(at, { text: String(numberOf(rows[at] ?? 0)), away: clear, side: "right" }));
  const taken = titles.map(({ box }) => box);
  const texts = placeTexts(scene);
  if (question) taken.push([question[0] - 9, question[1] - 9, question[0] + 9, question[1] + 9]);
  const ground = { width, height, measure: (text: string) => context.measureText(text).width, taken };
  // they appear among thousands of points: a border in the background color keeps them legible
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = colours.ground;
  for (const { tag, x, y } of placeTags([...ranks, ...numbers, ...texts], ground)) {
    context.strokeText(tag.text, x, y);
    context.fillStyle = ranks.includes(tag) ? colours.accent : texts.includes(tag) ? colours.quiet : colours.ink;
    context.fillText(tag.text, x, y);
  }
}

function joinQuestion(
  context: CanvasRenderingContext2D,
  { positions, hits, colours }: MapScene,
  question: Position,
): void {
  context.strokeStyle = colours.accent;
  context.lineWidth = 1;
  context.beginPath();
  for (const { at } of joined(hits)) {
    context.moveTo(...question);
    context.lineTo(...pointOf(positions, at));
  }
  context.stroke();
}

/** Over everything else: what was typed is what is looked for. */
function markQuestion(context: CanvasRenderingContext2D, { colours, ratio }: MapScene, [x, y]: Position): void {
  const mark = shapeOfQuestion();
  context.setTransform(ratio, 0, 0, ratio, x * ratio, y * ratio);
  context.lineWidth = 4;
  context.strokeStyle = colours.ground;
  context.stroke(mark);
  context.fillStyle = colours.accent;
  context.fill(mark);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

function drawOutline(context: CanvasRenderingContext2D, { outline, colours }: MapScene): void {
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let i = 0; i < outline.length; i += 2) context.lineTo(outline[i] ?? 0, outline[i + 1] ?? 0);
  context.closePath();
  context.stroke();
  context.globalAlpha = 0.08;
  context.fillStyle = colours.accent;
  context.fill();
  context.globalAlpha = 1;
}
