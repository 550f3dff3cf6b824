import type { MapScene } from "./map-drawing.ts";
import { shapePaths } from "./shapes.ts";

const lineHeight = 20;
const columnWidth = 160;
const inset = 12;
/** Points get their numbers up to this many: more would cover each other. */
const mostNumbers = 200;

interface Inks {
  points: readonly string[];
  /** of words */
  ink: string;
  ground: string;
  line: string;
}

/**
 * The map as a file that can be enlarged, with its legend beneath and the rows' numbers; texts are left out, as they are
 * of the canvas.
 * @param inks as digits: what reads the file need know no newer notation, and has no variables
 */
export function mapSvg(scene: Omit<MapScene, "colours">, inks: Inks): string {
  const { width, height, places, zero, rows, paint, numberOf } = scene;
  const parts = [
    `<path d="M${zero[0].toFixed(1)} 0V${height}M0 ${zero[1].toFixed(1)}H${width}" stroke="${inks.line}"/>`,
    ...Array.from(rows, (row, at) =>
      mark(places[2 * at]!, places[2 * at + 1]!, inks.points[paint.colour[row]!]!, paint.shape[row]!),
    ),
  ];
  if (rows.length <= mostNumbers) {
    rows.forEach((row, at) =>
      parts.push(words(places[2 * at]! + 8, places[2 * at + 1]! + 4, String(numberOf(row)), inks.ink, 10)),
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
    return { drawn: [words(inset, top + 3, from, inks.ink), ...steps, words(end, top + 3, to, inks.ink)], tall: 32 };
  }
  const { entries } = paint.legend;
  const columns = Math.max(1, Math.floor((width - inset) / columnWidth));
  const drawn = entries.map(({ mark: { colour, shape }, label }, at) => {
    const [x, y] = [inset + (at % columns) * columnWidth, top + Math.floor(at / columns) * lineHeight];
    return mark(x, y, inks.points[colour]!, shape) + words(x + 10, y + 4, label.slice(0, 24), inks.ink);
  });
  return { drawn, tall: entries.length === 0 ? 0 : Math.ceil(entries.length / columns) * lineHeight + inset };
}

function mark(x: number, y: number, colour: string, shape: number): string {
  return `<path transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" fill="${colour}" fill-rule="evenodd" d="${shapePaths[shape]}"/>`;
}

function words(x: number, y: number, text: string, ink: string, size = 12): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" fill="${ink}">${escaped(text)}</text>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
