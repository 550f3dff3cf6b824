import { costOf } from "../../domain/ledger/price.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { RerankUsage } from "../../providers/provider.ts";
import { countInTurns } from "../../providers/local/lexical.ts";
import type { Turn } from "../../turns.ts";
import { believable } from "../believable.ts";
import { bytesOf } from "../json-bytes.ts";
import { assumedContext } from "../embeddings/estimate.ts";
import type { RerankRequest } from "./request.ts";

/** Of each document, and of the query, that a model's tokenizer may put around a text. */
const around = 8;
/**
 * Cohere's search unit: a query with up to 100 documents; a document of more than 500 tokens, those of the query
 * included, counts as several (https://cohere.com/pricing).
 */
const documentsPerUnit = 100;
const tokensPerDocument = 500;

/** What a rerank call's texts amount to. */
export interface Amount {
  /** the gateway's own count of the query, and of each document with 1 for an image */
  readonly queryTokens: number;
  readonly documentTokens: readonly number[];
  /** bytes of UTF-8 (the query's with all members that are the provider's), of which a tokenizer makes at most one token each */
  readonly queryBytes: number;
  readonly documentBytes: readonly number[];
  /** of each document */
  readonly hasImage: readonly boolean[];
}

/** Counts in turns: a call may have megabytes of text. */
export async function amountOf(
  { query, documents, extra }: RerankRequest,
  turn: Turn,
  signal: AbortSignal,
): Promise<Amount> {
  const documentTokens: number[] = [];
  const queryTokens = await countInTurns(query, turn, { signal });
  for (const { text, image } of documents) {
    documentTokens.push((text === null ? 0 : await countInTurns(text, turn, { signal })) + (image === null ? 0 : 1));
    if (turn.isOver()) await turn.next();
  }
  return {
    queryTokens,
    documentTokens,
    queryBytes: Buffer.byteLength(query) + (Object.keys(extra).length === 0 ? 0 : bytesOf(extra)),
    documentBytes: documents.map(({ text }) => (text === null ? 0 : Buffer.byteLength(text))),
    hasImage: documents.map(({ image }) => image !== null),
  };
}

/** Units in which rerank calls are billed. */
export interface Units {
  readonly totalTokens: number;
  readonly searchUnits: number;
}

/** What the gateway counts where a provider reports nothing: the query is read with each document. */
export function ownUnits({ queryTokens, documentTokens }: Amount): Units {
  return unitsOf(queryTokens, documentTokens);
}

/**
 * The most that a provider can bill for the call. The model's context bounds an image alone: of a longer document some
 * providers read, and bill, piece after piece.
 */
export function mostUnits({ queryBytes, documentBytes, hasImage }: Amount, { model }: Candidate): Units {
  const ofImage = model.contextLength ?? assumedContext;
  const documents = documentBytes.map((bytes, index) => bytes + around + (hasImage[index] === true ? ofImage : 0));
  return unitsOf(queryBytes + around, documents);
}

function unitsOf(query: number, documents: readonly number[]): Units {
  const room = Math.max(1, tokensPerDocument - query);
  let totalTokens = 0;
  let counted = 0;
  for (const tokens of documents) {
    totalTokens += query + tokens;
    counted += Math.max(1, Math.ceil(tokens / room));
  }
  return { totalTokens, searchUnits: Math.ceil(counted / documentsPerUnit) };
}

/** What a provider reported, as far as it can be true; else the gateway's own count. */
export function billedUnits(amount: Amount, candidate: Candidate, usage: RerankUsage | null): Units {
  const own = ownUnits(amount);
  const most = mostUnits(amount, candidate);
  return {
    totalTokens: believable(usage?.totalTokens, most.totalTokens, own.totalTokens),
    searchUnits: believable(usage?.searchUnits, most.searchUnits, own.searchUnits),
  };
}

/** Nano-dollars; 0 where the model has no price. A request's price goes by the search unit. */
export function costAt({ model }: Candidate, { totalTokens, searchUnits }: Units): bigint {
  if (model.prices === null) return 0n;
  return costOf(model.prices, { promptTokens: totalTokens, completionTokens: 0, images: 0, requests: searchUnits });
}
