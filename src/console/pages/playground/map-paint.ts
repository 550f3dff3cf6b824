import { formatCount } from "../../format.ts";
import { markOf, mostMarks, other, unlabelled, type Mark } from "./category-marks.ts";
import { columnsOf, kindOf, numbersOf } from "./columns.ts";
import { colours } from "./palette.ts";
import type { Shown } from "./playground.ts";
import type { Groups } from "../../vectors/protocol.ts";
import { cosineText } from "../../vectors/similarity-scale.ts";

const paints = ["label", "cluster", "role", "length", "similarity"] as const;
/** … or a further column of the rows' table. */
export type PaintBy = (typeof paints)[number] | `column ${string}`;

/** What tells these rows apart, the first by default: no labels where none was given, no roles where all have the same. */
export function paintsFor(shown: Rows, groups: readonly string[]): readonly PaintBy[] {
  const hasRoles = shown.some(({ role }) => role !== shown[0]?.role);
  const own = paints.filter((by) => (by === "label" ? groups.length > 0 : by === "role" ? hasRoles : true));
  const further = columnsOf(shown).filter((name) => kindOf(shown, name) !== null);
  return [...own, ...further.map((name) => `column ${name}` as const)];
}

/** What the colors mean: marks with their names, or a scale from one number to another. */
export type Legend =
  | { kind: "marks"; entries: readonly { mark: Mark; label: string }[] }
  | { kind: "scale"; from: string; to: string };

/** The color and shape of each row, by the row's place in the run. */
export interface Paint {
  /** the names of the tokens that `colour` points into */
  tokens: readonly string[];
  colour: Uint8Array;
  shape: Uint8Array;
  legend: Legend;
}

const categories = Array.from({ length: 8 }, (_, index) => `data-${index + 1}`);
const sequence = Array.from({ length: 7 }, (_, index) => `seq-${index + 1}`);
const document = markOf(0);
const query = markOf(4);

/** What is known about the rows apart from their text. */
interface Measured {
  /** likeness to the selected row, or to the question, by the row's place, not a number where a row has no vector */
  scores: Float32Array | null;
  /** left out of the scale: null where the scores are with a question, which is no row */
  selected: number | null;
  clusters: Groups | null;
}

export function markOfRow({ colour, shape }: Paint, row: number): Mark {
  return { colour: colour[row] ?? 0, shape: shape[row] ?? 0 };
}

type Rows = readonly Pick<Shown, "group" | "role" | "text" | "fields">[];

/**
 * Labels, clusters and roles get a color and a shape of their own, lengths and similarities a place on the scale.
 */
export function paintOf(
  by: PaintBy,
  shown: Rows,
  groups: readonly string[],
  { scores, clusters, selected }: Measured,
): Paint {
  const column = columnOf(by);
  if (column !== null) {
    const kind = kindOf(shown, column);
    const date = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10);
    if (kind !== "names") return scaled(numbersOf(shown, column), kind === "dates" ? date : plainNumber);
  }
  if (by === "length") {
    const lengths = Float32Array.from(shown, ({ text }) => Math.log1p(text.length));
    return scaled(lengths, (value) => formatCount(Math.round(Math.expm1(value))), " characters");
  }
  if (by === "similarity") {
    const none = new Float32Array(shown.length).fill(Number.NaN);
    const unit = scores && selected === null ? " with the question" : "";
    return scaled(scores ?? none, cosineText, unit, selected);
  }
  if (by === "role") {
    const entries = [
      { mark: document, label: "document" },
      { mark: query, label: "query" },
    ];
    return marked(shown, entries, (row) => (shown[row]?.role === "query" ? query : document));
  }
  if (by === "cluster") {
    const sizes = clusters?.sizes ?? [];
    const entries = sizes.map((size, index) => ({
      mark: markOf(index),
      label: `${groupName(clusters?.names[index], index)} (${formatCount(size)})`,
    }));
    return marked(shown, entries, (row) => (sizes.length === 0 ? markOf(0) : markOf(clusters?.of[row] ?? 0)));
  }
  const indexOf = new Map(groups.map((group, index) => [group, index]));
  const entries = groups.slice(0, mostMarks).map((label, index) => ({ mark: markOf(index), label }));
  const more = groups.length - mostMarks;
  if (more > 0) entries.push({ mark: other, label: `${formatCount(more)} other labels` });
  if (groups.length > 0 && shown.some(({ group }) => group === ""))
    entries.push({ mark: unlabelled, label: "no label" });
  return marked(shown, entries, (row) =>
    markOf(groups.length === 0 ? 0 : (indexOf.get(shown[row]?.group ?? "") ?? -1)),
  );
}

/** What a group found by likeness is called: its two most distinctive words, or its number where it has none. */
export const groupName = (words: readonly string[] | undefined, index: number): string =>
  words === undefined || words.length === 0 ? String(index + 1) : words.slice(0, 2).join(", ");

/** The column that colors are of; null where they are of something else. */
export const columnOf = (by: PaintBy): string | null => (by.startsWith("column ") ? by.slice(7) : null);

const plainNumber = (value: number) => new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 }).format(value);

function marked(shown: Rows, entries: { mark: Mark; label: string }[], mark: (row: number) => Mark): Paint {
  const colour = Uint8Array.from(shown, (_, row) => mark(row).colour);
  const shape = Uint8Array.from(shown, (_, row) => mark(row).shape);
  return { tokens: categories, colour, shape, legend: { kind: "marks", entries } };
}

function scaled(
  values: Float32Array,
  words: (value: number) => string,
  unit = "",
  leftOut: number | null = null,
): Paint {
  const colour = new Uint8Array(values.length);
  const shape = new Uint8Array(values.length);
  // a row's likeness to itself is 1, however unlike the others are: it would take the scale for itself
  const sorted = values.filter((value, row) => !Number.isNaN(value) && row !== leftOut).toSorted();
  if (sorted.length === 0) {
    return { tokens: sequence, colour: colour.fill(3), shape, legend: { kind: "marks", entries: [] } };
  }
  // from the 2nd to the 98th of a hundred: one far-off row must not take the whole scale for itself
  const last = sorted.length - 1;
  const picked = [0, Math.floor(last * 0.02), Math.ceil(last * 0.98), last].map((at) => sorted[at]);
  const [least = 0, low = 0, high = 0, most = 0] = picked;
  const from = `${least < low ? "≤ " : ""}${words(low)}`;
  const to = `${most > high ? "≥ " : ""}${words(high)}${unit}`;
  values.forEach((value, row) => {
    const share = high > low ? (value - low) / (high - low) : 0;
    colour[row] = Math.round(Math.max(0, Math.min(1, share || 0)) * (sequence.length - 1));
  });
  return { tokens: sequence, colour, shape, legend: { kind: "scale", from, to } };
}

/** The tokens' colors as they are now, with ink, quiet ink, hairline, accent and ground behind them. */
export function resolved(element: HTMLElement, { tokens }: Paint) {
  const all = colours(element, [...tokens, "fg-1", "fg-3", "line", "accent", "bg-1"]);
  const [ink = "", quiet = "", line = "", accent = "", ground = ""] = all.slice(tokens.length);
  const family = getComputedStyle(element).fontFamily;
  return { points: all.slice(0, tokens.length), ink, quiet, line, accent, ground, family };
}
