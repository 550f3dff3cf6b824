import type { RerankResult } from "#contract/rerank.ts";
import { counted } from "../../format.ts";
import type { Shown } from "./playground.ts";

/** A row in the order of a reranking. */
export interface RerankedRow {
  /** its place in the run */
  row: number;
  /** the model's own score: only its order is comparable to other models' */
  score: number;
  /** its rank by cosine, from 1 */
  cosineRank: number;
}

/** What can be reranked of a ranking: rows that are texts. */
export function textRows(rows: readonly number[], shown: readonly Shown[]): number[] {
  return rows.filter((row) => shown[row]?.image === undefined && (shown[row]?.text.trim() ?? "") !== "");
}

/**
 * The rows in the answer's order.
 * @param rows in the order in which they were sent
 */
export function rerankedRows({ results }: RerankResult, rows: readonly number[], byCosine: number[]): RerankedRow[] {
  return results.flatMap(({ index, relevance_score: score }) => {
    const row = rows[index];
    return row === undefined ? [] : [{ row, score, cosineRank: byCosine.indexOf(row) + 1 }];
  });
}

/**
 * A column of scores with as many decimals each as give the largest of them three digits, and two or more: some models
 * score between 0 and 1, others have no bounds.
 */
export function scoreTexts(scores: readonly number[]): string[] {
  const largest = Math.max(0, ...scores.map(Math.abs));
  const decimals = Math.max(2, Math.min(12, 2 - Math.floor(Math.log10(largest || 1))));
  const format = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    // no minus before a zero
    signDisplay: "negative",
  });
  return scores.map((score) => format.format(score).replace("-", "−"));
}

/** How the order differs from the one by cosine. */
export function rerankSentence(model: string, order: readonly RerankedRow[], shown: readonly Shown[]): string {
  const [first] = order;
  if (first === undefined) return `${model} returned no row`;
  // ranks among those that were sent, so that a picture between them moves no row
  const sent = order.map(({ cosineRank }) => cosineRank).toSorted((a, b) => a - b);
  const moved = order.filter(({ cosineRank }, at) => sent[at] !== cosineRank).length;
  if (moved === 0) return `${model} keeps the order by cosine`;
  const number = shown[first.row]?.number ?? 0;
  const lead =
    first.cosineRank === sent[0]
      ? `keeps row ${number} first`
      : `puts row ${number} first, number ${first.cosineRank} by cosine`;
  return `${model} ${lead}; ${counted(moved, "row")} of ${order.length} moved`;
}
