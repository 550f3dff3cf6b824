import { type JsonObject, parseJson } from "../answer.ts";
import { cannotCarry } from "../call.ts";
import type { RerankCall, RerankDialect, RerankDocument, Upstream } from "../provider.ts";
import { readRerankUsage, readScores } from "../rerank-answer.ts";
import { headers, operationUrl } from "./request.ts";

/** Jina's `POST /rerank`, which most servers speak, and its variants as options of the upstream. */
export const rerank: RerankDialect = {
  takes: ({ options }) => options.rerank !== null,

  takesImages: ({ options }) => options.rerank?.images === true,

  toRequest(upstream, call) {
    const { path = "rerank", atRoot = false } = upstream.options.rerank ?? {};
    const at = atRoot ? { ...upstream, baseUrl: upstream.baseUrl.replace(/\/v1$/, "") } : upstream;
    return {
      method: "POST",
      url: operationUrl(at, path),
      headers: headers(upstream),
      body: JSON.stringify(members(upstream, call)),
    };
  },

  readAnswer: readScores,

  readUsage: (body) => readRerankUsage(typeof body === "string" ? parseJson(body) : body.parsed),
};

function members(upstream: Upstream, { model, query, documents, topN, user, extra }: RerankCall): JsonObject {
  const { rerank: form, publicApi } = upstream.options;
  const { topMember = "top_n", documentsMember = "documents", named = true } = form ?? {};
  // A vendor with the public API's own form knows no such member.
  const { always = publicApi === true ? {} : { return_documents: false } } = form ?? {};
  return {
    ...always,
    ...extra,
    ...(named && { model }),
    query,
    [documentsMember]: documents.map((document) => written(upstream, document)),
    ...(topN !== null && topMember !== null && { [topMember]: topN }),
    ...(user !== null && publicApi === true && { user }),
  };
}

function written(upstream: Upstream, { text, image }: RerankDocument): unknown {
  if (image === null) return text;
  if (upstream.options.rerank?.images !== true) throw cannotCarry("it ranks texts, not images");
  return text === null ? { image } : { text, image };
}
