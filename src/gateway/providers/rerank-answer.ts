import { isObject, parseJson, readCount } from "./answer.ts";
import { type AnswerBody, BadAnswer, type RerankAnswer, type RerankUsage } from "./provider.ts";

/**
 * The scores in any vendor's answer: `results` or `data` with `relevance_score` (Cohere, Jina, Voyage, Together), or a
 * bare list with `score` (text-embeddings-inference).
 * @param count of the documents
 * @throws BadAnswer when a score is no finite number, or an index is not one of a document, or is named twice
 */
export function readScores(body: AnswerBody, count: number): RerankAnswer {
  const answer = typeof body === "string" ? parseJson(body) : body.parsed;
  const list = isObject(answer) ? (answer["results"] ?? answer["data"]) : answer;
  if (!Array.isArray(list) || list.length === 0) throw new BadAnswer("the answer has no list of results");
  if (list.length > count) throw new BadAnswer(`the answer has ${list.length} results for ${count} documents`);
  const seen = new Set<number>();
  const results = list.map((entry: unknown, position) => {
    const index = isObject(entry) ? readCount(entry["index"]) : null;
    if (!isObject(entry) || index === null || index >= count || seen.has(index)) {
      throw new BadAnswer(`results.${position}.index is not a place among ${count} documents, or names one twice`);
    }
    seen.add(index);
    const score = entry["relevance_score"] ?? entry["score"];
    if (typeof score !== "number" || !Number.isFinite(score)) {
      throw new BadAnswer(`results.${position} has no score that is a finite number`);
    }
    return { index, score };
  });
  return { results, usage: readRerankUsage(answer) };
}

/** Tokens or search units, wherever a vendor reports them; null: neither. */
export function readRerankUsage(answer: unknown): RerankUsage | null {
  if (!isObject(answer)) return null;
  const usage = isObject(answer["usage"]) ? answer["usage"] : {};
  const meta = isObject(answer["meta"]) ? answer["meta"] : {};
  const billed = isObject(meta["billed_units"]) ? meta["billed_units"] : {};
  const totalTokens = readCount(usage["total_tokens"]) ?? readCount(billed["input_tokens"]);
  const searchUnits = readCount(billed["search_units"]) ?? readCount(usage["search_units"]);
  return totalTokens === null && searchUnits === null ? null : { totalTokens, searchUnits };
}
