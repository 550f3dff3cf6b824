import { parseJson } from "../answer.ts";
import { cannotCarry } from "../call.ts";
import { headers } from "../compatible/request.ts";
import type { RerankDialect } from "../provider.ts";
import { readRerankUsage, readScores } from "../rerank-answer.ts";

/** Cohere's `POST /v2/rerank`: https://docs.cohere.com/reference/rerank */
export const rerank: RerankDialect = {
  takes: () => true,

  takesImages: () => false,

  toRequest: (upstream, { model, query, documents, topN, extra }) => ({
    method: "POST",
    url: `${upstream.baseUrl}/rerank`,
    headers: headers(upstream),
    body: JSON.stringify({
      ...extra,
      model,
      query,
      documents: documents.map(({ text, image }) => {
        if (text === null || image !== null) throw cannotCarry("Cohere ranks texts, not images");
        return text;
      }),
      ...(topN !== null && { top_n: topN }),
    }),
  }),

  readAnswer: readScores,

  readUsage: (body) => readRerankUsage(typeof body === "string" ? parseJson(body) : body.parsed),
};
