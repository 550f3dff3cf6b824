import { toUsd } from "#contract/money.ts";
import type { RerankResult } from "#contract/rerank.ts";
import type { Settlement } from "../../domain/ledger/ledger.ts";
import { takeTurns } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import { isLongAnswer } from "../answer-body.ts";
import type { ModelAnswer } from "../model-call.ts";
import type { CallContext } from "../record.ts";
import type { RerankRequest } from "./request.ts";

/** A document's place and score. */
export interface Score {
  readonly index: number;
  readonly score: number;
}

interface Ranked {
  readonly context: CallContext;
  readonly request: RerankRequest;
  /** the name of the provider that served */
  readonly provider: string;
  readonly scores: readonly Score[];
  readonly settlement: Settlement;
  readonly byok: boolean;
  readonly usage: Pick<RerankResult["usage"], "search_units" | "total_tokens">;
}

/** The public API's answer: the best first, with the caller's own documents. Equal scores keep the caller's order. */
export async function writeRanking(ranked: Ranked): Promise<ModelAnswer> {
  const { context, request, provider, scores, settlement, byok, usage } = ranked;
  const best = scores.toSorted((a, b) => b.score - a.score || a.index - b.index).slice(0, request.topN);
  const { cohereVersion } = context.call;
  const body: RerankResult = {
    id: context.id,
    model: request.model,
    provider,
    results: best.map(({ index, score }) => ({
      index,
      relevance_score: score,
      document: documentOf(request, index),
    })),
    usage: { cost: toUsd(settlement.own + settlement.byok), is_byok: byok, ...usage },
    ...(cohereVersion !== undefined && { meta: metaOf(cohereVersion, usage) }),
  };
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "x-generation-id": context.id },
    body: isLongAnswer(context.call.body)
      ? await writeJsonInTurns(body, takeTurns(context.call.credential.hash, { patient: true }))
      : JSON.stringify(body),
  };
}

/** Cohere's own account of a call: https://docs.cohere.com/reference/rerank */
function metaOf(version: string, { search_units, total_tokens }: Ranked["usage"]): RerankResult["meta"] {
  return {
    api_version: { version },
    billed_units: {
      ...(search_units !== undefined && { search_units }),
      ...(total_tokens !== undefined && { input_tokens: total_tokens }),
    },
  };
}

function documentOf({ documents }: RerankRequest, index: number): { text?: string; image?: string } {
  const { text = null, image = null } = documents[index] ?? {};
  return { ...(text !== null && { text }), ...(image !== null && { image }) };
}
