import { counted, formatPercent } from "../../format.ts";
import type { FirstRight } from "../../vectors/first-right.ts";
import { meanInterval, shareInterval, type Interval } from "../../vectors/intervals.ts";
import { labelCodes } from "./rows-to-check.ts";
import type { Shown } from "./playground.ts";

/** How good one way of looking is at finding what belongs together. */
export interface Quality {
  first: Interval;
  ten: Interval;
  reciprocal: Interval;
}

/** Of one run: the share of rank 1, of ranks up to 10, and the mean of one divided by the rank. */
export function qualityOf(ranks: Int32Array): Quality {
  const upTo = (rank: number) => ranks.filter((one) => one <= rank).length;
  return {
    first: shareInterval(upTo(1), ranks.length),
    ten: shareInterval(upTo(10), ranks.length),
    reciprocal: meanInterval(Array.from(ranks, (rank) => 1 / rank)),
  };
}

export interface QualityQuestions {
  /** every labeled row: whether its nearest row has the same label */
  label: { asked: number[]; among: number[]; labels: number[]; ids: number[] } | null;
  /** queries with a label: how soon a document with that label, or of that id, comes */
  search: { asked: number[]; among: number[]; labels: number[]; ids: number[] } | null;
}

/** What the labels, roles and ids of rows allow to ask. */
export function qualityQuestions(shown: readonly Shown[]): QualityQuestions {
  const labels = shown.map(({ group }) => group);
  const codes = labelCodes(labels);
  const places = [...shown.keys()];
  const queries = places.filter((row) => shown[row]?.role === "query");
  const documents = places.filter((row) => shown[row]?.role === "document");
  const none = codes.map(() => -1);
  const codeOf = new Map(labels.map((label, row) => [label, codes[row] ?? -1]));
  const ids = shown.map(({ ref = "" }) => (ref === "" ? -1 : (codeOf.get(ref) ?? -1)));
  const labeled = (rows: readonly number[]) => rows.filter((row) => (codes[row] ?? -1) >= 0);
  const [asked, labeledDocuments] = [labeled(queries), labeled(documents)];
  return {
    label: labeledDocuments.length > 1 ? { asked: labeledDocuments, among: documents, labels: codes, ids: none } : null,
    search: asked.length > 0 && documents.length > 0 ? { asked, among: documents, labels: codes, ids } : null,
  };
}

/** "91% (84% to 95%)" */
export const intervalText = ({ value, from, to }: Interval): string =>
  `${formatPercent(value)} (${formatPercent(from)} to ${formatPercent(to)})`;

export interface Compared {
  run: number;
  /** how it is called in a sentence */
  name: string;
  /** USD for a million tokens; null: not known */
  price: number | null;
}

/** Which run finds most, and which one is as good, or nearly, for less. */
export function qualitySentence(
  runs: readonly Compared[],
  { ranks, asked, of }: FirstRight,
  what: "label" | "search",
): string | null {
  const hits = ranks.map((own) => Array.from(own, (rank) => (rank === 1 ? 1 : 0)));
  const shareOf = (place: number) => mean(hits[place] ?? []);
  const order = [...runs.keys()].toSorted((a, b) => shareOf(b) - shareOf(a) || priceOf(runs, a) - priceOf(runs, b));
  const [best] = order;
  if (best === undefined || asked.length === 0 || runs.length < 2) return null;
  const cheaper = order
    .filter((place) => place !== best && priceOf(runs, place) < priceOf(runs, best))
    .find((place) => shareOf(place) >= worthNaming * shareOf(best));
  const rival = cheaper ?? order[1] ?? best;
  const found = (place: number) => `${runs[place]?.name} finds ${formatPercent(shareOf(place))}`;
  const rows = counted(asked.length, what === "label" ? "row" : "query", what === "label" ? "rows" : "queries");
  const measure = what === "label" ? "nearest row with the same label" : "right document first";
  const about = `${measure}, ${asked.length < of ? "a sample of " : ""}${rows}`;
  const certain = differs(hits[best] ?? [], hits[rival] ?? []);
  const end = certain ? "" : ", a difference within the sample’s error";
  if (cheaper !== undefined)
    return `${found(rival)}${shareOfPrice(runs[rival]?.price ?? null, runs[best]?.price ?? null)}, ${found(best)}${end} (${about})`;
  return `${found(best)}, ${found(rival)}${end} (${about})`;
}

/** A cheaper run is named where it finds so much of what the best one does. */
const worthNaming = 0.8;
const priceOf = (runs: readonly Compared[], place: number) => runs[place]?.price ?? Number.POSITIVE_INFINITY;
const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);

/** Whether a difference is more than chance: 0 lies outside the bootstrap's interval of the same rows' differences. */
function differs(a: readonly number[], b: readonly number[]): boolean {
  const { from, to } = meanInterval(a.map((one, at) => one - (b[at] ?? 0)));
  return from > 0 || to < 0;
}

const parts = ["half", "a third", "a quarter", "a fifth", "a sixth", "a seventh", "an eighth", "a ninth", "a tenth"];

/** " at a sixth of the price"; nothing where a price is not known. */
function shareOfPrice(price: number | null, other: number | null): string {
  if (price === null || other === null || other <= 0 || price >= other) return "";
  if (price === 0) return " for free";
  const times = other / price;
  const part = parts[Math.round(times) - 2];
  const isNear = Math.abs(times - Math.round(times)) < 0.15 * times;
  return ` at ${part && times >= 1.7 && isNear ? part : formatPercent(price / other)} of the price`;
}
