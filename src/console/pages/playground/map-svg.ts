import { pointOf } from "../../vectors/plane.ts";
import type { Mark } from "./category-marks.ts";
import type { MapScene } from "./map-drawing.ts";
import { joined, questionPosition } from "./map-positions.ts";
import { markOfRow } from "./map-paint.ts";
import { questionPath, shapePaths } from "./shapes.ts";

const lineHeight = 20;
const columnWidth = 160;
const inset = 12;
/** Points get their numbers up to this many: more would cover each other. */
const mostNumbers = 200;

type Position = readonly [x: number, y: number];

interface Inks {
  points: readonly string[];
  /** of words */
  ink: string;
  ground: string;
  line: string;
}

/**
 * The map as a file that can be enlarged, with the groups' names, its legend beneath and the rows' numbers; the rows'
 * texts are left out, as they are of the canvas.
 * @param inks as digits: what reads the file need know no newer notation, and has no variables
 */
export function mapSvg(scene: Omit<MapScene, "colours">, inks: Inks): string {
  const { width, height, positions, zero, rows, paint, numberOf } = scene;
  const axes = zero && `M${zero[0].toFixed(1)} 0V${height}M0 ${zero[1].toFixed(1)}H${width}`;
  const parts = [
    ...(axes ? [`<path d="${axes}" stroke="${inks.line}"/>`] : []),
    ...Array.from(rows, (row, at) => {
      const place = pointOf(positions, at);
      return face(scene, row, place) ?? mark(place, markOfRow(paint, row), inks);
    }),
  ];
  if (rows.length <= mostNumbers) {
    const away = scene.sprites ? scene.side / 2 + 4 : 8;
    rows.forEach((row, at) => {
      const [x, y] = pointOf(positions, at);
      parts.push(words([x + away, y + 4], String(numberOf(row)), inks, 10));
    });
  }
  for (const { text, x, y } of scene.titles) {
    parts.push(
      `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="12" font-weight="600" text-anchor="middle" paint-order="stroke" stroke="${inks.ground}" stroke-width="4" stroke-linejoin="round" fill="${inks.ink}">${escaped(text)}</text>`,
    );
  }
  const question = questionPosition(positions, scene.hits);
  if (question) {
    const [x, y] = question.map((value) => value.toFixed(1));
    const lines = joined(scene.hits).map(({ at }) => {
      const [toX, toY] = pointOf(positions, at);
      return `M${x} ${y}L${toX.toFixed(1)} ${toY.toFixed(1)}`;
    });
    parts.push(
      `<path d="${lines.join("")}" stroke="${inks.ink}" stroke-width="0.7"/>`,
      `<path transform="translate(${x} ${y})" d="${questionPath}" fill="${inks.ink}" stroke="${inks.ground}" stroke-width="2"/>`,
    );
  }
  const { drawn, tall } = legend(scene, inks);
  const whole = height + tall;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${whole}" width="${width}" height="${whole}" font-family="sans-serif"><rect width="${width}" height="${whole}" fill="${inks.ground}"/><svg width="${width}" height="${height}">${parts.join("")}</svg>${drawn.join("")}</svg>\n`;
}

function legend({ width, height, paint }: Omit<MapScene, "colours">, inks: Inks): { drawn: string[]; tall: number } {
  const top = height + inset;
  if (paint.legend.kind === "scale") {
    const { from, to } = paint.legend;
    const start = inset + 70;
    const steps = inks.points.map(
      (colour, at) => `<rect x="${start + at * 14}" y="${top - 8}" width="13" height="12" fill="${colour}"/>`,
    );
    const end = start + inks.points.length * 14 + 8;
    return { drawn: [words([inset, top + 3], from, inks), ...steps, words([end, top + 3], to, inks)], tall: 32 };
  }
  const { entries } = paint.legend;
  const columns = Math.max(1, Math.floor((width - inset) / columnWidth));
  const drawn = entries.map(({ mark: own, label }, at) => {
    const [x, y] = [inset + (at % columns) * columnWidth, top + Math.floor(at / columns) * lineHeight];
    return mark([x, y], own, inks) + words([x + 10, y + 4], label.slice(0, 24), inks);
  });
  return { drawn, tall: entries.length === 0 ? 0 : Math.ceil(entries.length / columns) * lineHeight + inset };
}

/** A row's picture, which lies in the file itself. */
function face({ sprites, side }: Omit<MapScene, "colours">, row: number, [x, y]: Position): string | null {
  const sprite = sprites?.[row];
  if (!sprite) return null;
  const [width, height] = [sprite.width * side, sprite.height * side];
  return `<image x="${(x - width / 2).toFixed(1)}" y="${(y - height / 2).toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" href="${escaped(sprite.url)}"/>`;
}

function mark([x, y]: Position, { colour, shape }: Mark, { points }: Inks): string {
  return `<path transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" fill="${points[colour]}" fill-rule="evenodd" d="${shapePaths[shape]}"/>`;
}

function words([x, y]: Position, text: string, { ink }: Inks, size = 12): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" fill="${ink}">${escaped(text)}</text>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
