import { capital, counted, formatBytes, formatCount, formatPercent } from "../../format.ts";
import type { QueryRanking } from "../../vectors/neighbours.ts";
import type {
  Clusters,
  Comparison,
  MatrixResult,
  NearestOfEach,
  TradeoffPoint,
  VectorFacts,
} from "../../vectors/protocol.ts";
import { cosineText, nearlySame } from "../../vectors/similarity-scale.ts";
import type { Shown } from "./playground.ts";

// What each view shows, in one sentence without its full stop. Null: there is nothing to say of so few rows.

/**
 * Groups are clear whose silhouette is above what shuffled vectors have by so much, and by so much of that. A fixed bound
 * is for a few dimensions (Kaufman and Rousseeuw, 1990): in hundreds of them, groups that are no chance have 0.13.
 */
const aboveChance = { by: 0.05, times: 1.25 };
/** Groups fit labels that set right so much of what one group of all rows would have wrong. */
const fitsLabels = 0.5;
/**
 * A row is alone where its nearest is farther than the quartiles of all rows' nearest allow (Tukey, 1977), and more like a
 * row drawn at random than like a usual nearest one …
 */
const fence = 1.5;
/** … which says something of no fewer rows. */
const fewestForQuartiles = 12;
/** A cut is worth naming that keeps so much of who is near whom. */
const worthKeeping = 0.9;

type Rows = readonly Pick<Shown, "number" | "group">[];

const smallNumbers = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
export const spelled = (count: number) => smallNumbers[count] ?? formatCount(count);
const lower = (sentence: string) => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
/** What reads the same is a tie, whatever its further digits say. */
const tied = (a: number | undefined, b: number | undefined) =>
  a !== undefined && b !== undefined && cosineText(a) === cosineText(b);
/** A score as it is shown: a difference is that of the figures on the page. */
const shownAs = (score: number | undefined) => Number(cosineText(score ?? 0));
const numberOf = (shown: Rows, row: number | undefined) => formatCount(shown[row ?? 0]?.number ?? 0);

/** The same sentence where it speaks of fewer rows than were sent. */
export function amongRows(sentence: string, rows: number, all: number): string {
  if (rows >= all) return sentence;
  return `Among ${formatCount(rows)} of ${counted(all, "row")}: ${lower(sentence)}`;
}

const sampleOf = (some: number, all: number) => (some < all ? `, in a sample of ${counted(some, "row")}` : "");

/** How groups fit the labels that rows were given. */
export interface LabelFit {
  labeled: number;
  /** how many have the label that most of their group have … */
  pure: number;
  /** … and how many have the label that is the most frequent of all */
  largest: number;
}

/** How many groups there are, and whether they are any: of a number that a person chose, which number fits best. */
export function groupsSentence(
  { sizes, fit, best }: Clusters,
  chosen: number | null,
  labels: LabelFit | null = null,
): string | null {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (sizes.length < 2 || best === null) return null;
  const { silhouette } = fit;
  if (chosen !== null) {
    const own = `${capital(spelled(sizes.length))} groups, as chosen, with a silhouette of ${cosineText(best.count === sizes.length ? best.silhouette : silhouette)}`;
    // more starts, or more groups than are tried, may have found better ones than the choice did
    if (best.count === sizes.length || silhouette >= best.silhouette) return own + sampleOf(fit.among, all);
    return `${own}; ${spelled(best.count)} hold together best, with ${cosineText(best.silhouette)}${sampleOf(best.among, all)}`;
  }
  const count = `${capital(spelled(sizes.length))} groups`;
  if (
    labels &&
    labels.pure - labels.largest >= fitsLabels * (labels.labeled - labels.largest) &&
    labels.pure > labels.largest
  )
    return `${count}, which fit the labels of ${formatCount(labels.pure)} of ${counted(labels.labeled, "labeled row")}`;
  const { shuffled } = best;
  // as the choice has it, as that of shuffled vectors is of the same sample
  const own = cosineText(best.silhouette);
  if (best.silhouette < Math.max(shuffled + aboveChance.by, shuffled * aboveChance.times))
    return `No clear groups: the best split, into ${spelled(sizes.length)}, has a silhouette of ${own}, and shuffled vectors have ${cosineText(shuffled)}${sampleOf(best.among, all)}`;
  return `${count}, with a silhouette of ${own}; shuffled vectors have ${cosineText(shuffled)}${sampleOf(best.among, all)}`;
}

/** The rows whose nearest row is much farther than the others' nearest, the farthest first; none of few rows. */
export function lonelyRows({ rows, scores, random }: NearestOfEach): number[] {
  if (rows.length < fewestForQuartiles || random === null) return [];
  const sorted = scores.filter(Number.isFinite).toSorted();
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0;
  const least = Math.min(at(0.25) - fence * (at(0.75) - at(0.25)), (at(0.5) + random.median) / 2);
  return Array.from(scores.keys())
    .filter((i) => (scores[i] ?? 0) < least)
    .toSorted((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0))
    .map((i) => rows[i] ?? 0);
}

/** "row 41 lies alone: its nearest has 0.33"; null where none does. */
function lonelyWords(near: NearestOfEach, shown: Rows): string | null {
  const [first, second, ...others] = lonelyRows(near);
  if (first === undefined) return null;
  const score = cosineText(near.scores[near.rows.indexOf(first)] ?? 0);
  const own = `row ${numberOf(shown, first)}`;
  if (second === undefined) return `${own} lies alone: its nearest has ${score}`;
  if (others.length === 0) return `rows ${numberOf(shown, first)} and ${numberOf(shown, second)} lie alone`;
  return `${spelled(others.length + 2)} rows lie alone, most of all ${own}: its nearest has ${score}`;
}

/** What a map shows: its groups, or how its labels fit, and which rows lie by themselves. */
export function mapSentence(
  shown: Rows,
  found: { near: NearestOfEach | null; groups: string | null; byLabel: boolean },
): string | null {
  const { near, groups, byLabel } = found;
  if (!near || near.of < 2) return groups;
  const main = groups ?? (byLabel ? labelSentence(near, shown) : null) ?? nearSentence(near, shown);
  const lonely = lonelyWords(near, shown);
  const sampled = groups === null || lonely === null ? "" : sampleOf(near.rows.length, near.of);
  return lonely === null ? main : `${main}; ${lonely}${sampled}`;
}

/** For how many of the labeled rows the nearest row has the same label. */
function labelSentence(near: NearestOfEach, shown: Rows): string | null {
  const labelOf = (row: number | undefined) => shown[row ?? -1]?.group ?? "";
  const labeled = Array.from(near.rows.keys()).filter((i) => labelOf(near.rows[i]) !== "");
  if (labeled.length === 0) return null;
  const same = labeled.filter((i) => labelOf(near.nearest[i]) === labelOf(near.rows[i])).length;
  const sampled = sampleOf(near.rows.length, near.of);
  return same === labeled.length
    ? `The row nearest to each labeled row has the same label${sampled}`
    : `For ${formatPercent(same / labeled.length)} of ${counted(labeled.length, "labeled row")} the nearest row has the same label${sampled}`;
}

/** How near rows are to their nearest, and which two are nearest of all. */
export function nearSentence(near: NearestOfEach, shown: Rows): string | null {
  const { rows, nearest, scores, of } = near;
  const known = scores.filter(Number.isFinite).toSorted((a, b) => b - a);
  const first = scores.indexOf(known[0] ?? 0);
  if (of < 2 || first === -1) return null;
  const pair = [rows[first] ?? 0, nearest[first] ?? 0].toSorted((a, b) => a - b);
  const closest = `rows ${numberOf(shown, pair[0])} and ${numberOf(shown, pair[1])}`;
  const score = cosineText(scores[first] ?? 0);
  if (of === 2) return `The two rows have ${score}`;
  const half = cosineText(known[Math.floor((known.length - 1) / 2)] ?? 0, "floor");
  const others = new Set(rows.filter((_, i) => tied(scores[i], scores[first])));
  for (const row of pair) others.delete(row);
  if (rows.length < of) {
    const found = others.size > 0 ? `${closest} are among the closest found, ` : `the closest found are ${closest} `;
    return `In a sample of ${counted(rows.length, "row")}, half have another at ${half} or more; ${found}with ${score}`;
  }
  const found = others.size > 0 ? `${closest} are among the closest, ` : `the closest two are ${closest} `;
  return `Half of the rows have another at ${half} or more; ${found}with ${score}`;
}

/** Which row is nearest to a question or a row, by how much, and what is usual. */
export function rankedSentence(
  scores: Float32Array,
  to: { question: true } | { row: number },
  shown: Rows,
): string | null {
  const own = "row" in to ? to.row : -1;
  const order = Array.from(scores.keys())
    .filter((row) => row !== own && Number.isFinite(scores[row]))
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const [first, second] = order;
  if (first === undefined) return null;
  const what = "row" in to ? `row ${numberOf(shown, to.row)}` : "the question";
  const nearest = `Row ${numberOf(shown, first)} is nearest to ${what} with ${cosineText(scores[first] ?? 0)}`;
  if (second === undefined) return nearest;
  const ahead = (scores[first] ?? 0) - (scores[second] ?? 0);
  const asNear = order.slice(1).filter((row) => tied(scores[row], scores[first])).length;
  const lead =
    asNear > 1
      ? `as near as ${spelled(asNear)} others`
      : asNear === 1 || ahead < 0.005
        ? `as near as row ${numberOf(shown, second)}`
        : `${cosineText(Math.max(0.01, shownAs(scores[first]) - shownAs(scores[second])))} ahead of row ${numberOf(shown, second)}`;
  // of an even number the lower one of the two in the middle, so that half of them have that or less
  const usual = cosineText(scores[order[Math.floor(order.length / 2)] ?? 0] ?? 0, "ceil");
  return `${nearest}, ${lead}; half of ${"row" in to ? "the others" : "the rows"} have ${usual} or less`;
}

/** How well queries are served: by their labels where they have some, else by their first documents' cosines. */
export function searchSentence(found: readonly QueryRanking[], of: number, shown: Rows): string | null {
  const served = found.filter(({ rows }) => rows.length > 0);
  const [one] = served;
  if (!one) return null;
  const among = (sentence: string) =>
    served.length < of
      ? `Among ${formatCount(served.length)} of ${counted(of, "query", "queries")}: ${lower(sentence)}`
      : sentence;
  const labelOf = (row: number | undefined) => shown[row ?? -1]?.group ?? "";
  const labeled = served.filter(({ query }) => labelOf(query) !== "");
  if (labeled.length > 0) {
    const right = labeled.filter(({ query, rows }) => labelOf(rows[0]) === labelOf(query)).length;
    return among(
      `For ${formatCount(right)} of ${counted(labeled.length, "labeled query", "labeled queries")} the first document has the query’s label`,
    );
  }
  const first = ({ scores }: QueryRanking) => scores[0] ?? 0;
  if (served.length === 1) {
    const which = tied(one.scores[0], one.scores[1]) ? "among the documents" : "the document";
    return among(
      `Row ${numberOf(shown, one.rows[0])} is ${which} nearest to row ${numberOf(shown, one.query)}, with ${cosineText(first(one))}`,
    );
  }
  const sorted = served.toSorted((a, b) => first(b) - first(a));
  const [best = one, worst = one] = [sorted[0], sorted.at(-1)];
  if (tied(first(best), first(worst)))
    return among(
      `The first documents of all ${spelled(served.length)} queries are as near, with ${cosineText(first(best))}`,
    );
  return among(
    `Row ${numberOf(shown, best.query)} has the nearest first document (${cosineText(first(best))}), row ${numberOf(shown, worst.query)} the farthest (${cosineText(first(worst))})`,
  );
}

/** How many pairs say the same, and what is usual. */
export function matrixSentence({ pairs, same, median: middle }: MatrixResult, shown: Rows): string | null {
  const [first] = pairs;
  if (!first || !middle) return null;
  const own = `rows ${numberOf(shown, first.a)} and ${numberOf(shown, first.b)}`;
  const closest = tied(pairs[1]?.score, first.score) ? `among them ${own}` : own;
  const main =
    same > 0
      ? `${capital(spelled(same))} ${same === 1 ? "pair is" : "pairs are"} nearly the same (≥ ${nearlySame})`
      : `No pair is nearly the same (≥ ${nearlySame}): the closest, ${closest}, have ${cosineText(first.score)}`;
  if (middle.pairs === 1) return main;
  return `${main}; half of ${middle.every ? "all" : formatCount(middle.pairs)} ${middle.every ? "" : "random "}pairs have ${cosineText(middle.median, "ceil")} or less`;
}

/** What a cut keeps and saves: the one that is looked at, else the shortest that keeps nine tenths. */
export function tradeoffSentence(points: readonly TradeoffPoint[], all: number, used: number): string | null {
  const cuts = points.filter((point) => point.used < all);
  const point = used < all ? cuts.find((one) => one.used === used) : cuts.find((one) => one.overlap >= worthKeeping);
  if (point) {
    const { overlap, rows, of } = point;
    const saved = formatBytes((all - point.used) * 4e6);
    return `${counted(point.used, "dimension")} ${point.used === 1 ? "keeps" : "keep"} ${formatPercent(overlap)} of the nearest neighbors: ${saved} less per million vectors${sampleOf(rows, of)}`;
  }
  const longest = cuts.at(-1);
  if (used < all || !longest) return null;
  // as the table has it, but never as much as it is said not to be
  const kept = formatPercent(Math.min(longest.overlap, worthKeeping - 0.01));
  return `No cut shown keeps nine tenths of the nearest neighbors: ${counted(longest.used, "dimension")} ${longest.used === 1 ? "keeps" : "keep"} ${kept}${sampleOf(longest.rows, longest.of)}`;
}

/** How much of the nearest neighbors of the first run the others find, and in how much memory. */
export function compareSentence(found: readonly Comparison[], sizeOf: (run: number) => number): string | null {
  const [first, ...others] = found;
  const sorted = others.toSorted((a, b) => b.overlap - a.overlap);
  const [most, least] = [sorted[0], sorted.at(-1)];
  if (!first || !most || !least) return null;
  const sampled = sampleOf(most.rows, most.of);
  const share = sizeOf(most.run) / sizeOf(first.run);
  const memory = share === 1 ? "in as much memory" : `in ${formatPercent(share)} of its memory`;
  const [best, fewest] = [formatPercent(most.overlap), formatPercent(least.overlap)];
  if (others.length > 1 && best === fewest)
    return `The ${spelled(others.length)} other runs each find ${best} of run ${first.run}’s nearest neighbors${sampled}`;
  const main = `Run ${most.run} finds ${best} of run ${first.run}’s nearest neighbors`;
  return others.length === 1
    ? `${main}, ${memory}${sampled}`
    : `${main}, the most; run ${least.run} finds ${fewest}, the fewest${sampled}`;
}

/** How much of a vector's length is in a few of its numbers. */
export function vectorSentence({ largest, norm, filled }: VectorFacts, used: number): string | null {
  if (filled === 0 || !Number.isFinite(norm)) return null;
  const share = largest.reduce((sum, { value }) => sum + value * value, 0) / (norm * norm);
  return `${capital(spelled(largest.length))} of its ${counted(used, "number")} make up ${formatPercent(Math.min(1, share))} of the vector’s squared length`;
}
