import { cosine } from "../../domain/cosine.ts";
import { invalid, Refusal } from "../../domain/refusal.ts";
import { takeTurns, type Turn } from "../../turns.ts";
import type { RelayDeps } from "../deps.ts";
import { answerWithVectors } from "../embeddings/embeddings.ts";
import type { EmbeddingsRequest } from "../embeddings/request.ts";
import type { EmbeddingsRun } from "../embeddings/run.ts";
import { numbersOf } from "../embeddings/vectors.ts";
import type { ModelAnswer } from "../model-call.ts";
import { type Score, writeRanking } from "./answer.ts";
import { partsOf, type RerankRequest } from "./request.ts";
import type { AskedRerank } from "./run.ts";

/**
 * Orders the documents by the cosine similarity of their vectors to the query's. The call costs what embedding the
 * query and the documents costs.
 */
export async function rankByVectors(deps: RelayDeps, asked: AskedRerank): Promise<ModelAnswer> {
  const { context, policy, turn, addresses } = asked;
  const embed = { apiType: "rerank", context, policy, turn, addresses, request: asRequest(asked.request) } as const;
  return await answerWithVectors(deps, embed, async (run, settlement) => {
    const { promptTokens, served } = run.progress;
    return await writeRanking({
      context,
      request: asked.request,
      provider: (served ?? run.route.candidates[0])?.provider.name ?? "",
      scores: await similarities(run, takeTurns(turn.owner, { patient: true })),
      settlement,
      byok: served !== null && served.byok !== null,
      usage: { total_tokens: promptTokens },
    });
  }).catch((error: unknown) => {
    throw inRerankTerms(error, 1);
  });
}

/** The query first, then the documents; what is beyond the model's context is cut, as rerank models do. */
function asRequest({ topN: _, query, documents, ...request }: RerankRequest): EmbeddingsRequest {
  return {
    ...request,
    items: [
      { type: "text", text: query },
      ...documents.map((document) =>
        document.image === null
          ? ({ type: "text", text: document.text ?? "" } as const)
          : ({ type: "block", parts: partsOf(document) } as const),
      ),
    ],
    format: "base64",
    dimensions: null,
    inputType: null,
    queries: 1,
    requiredSpace: null,
    truncate: true,
  };
}

async function similarities({ progress, request }: EmbeddingsRun, turn: Turn): Promise<Score[]> {
  const query = numbersOf(progress.vectorAt(0));
  const scores: Score[] = [];
  turn.begin();
  for (let position = 1; position < request.items.length; position += 1) {
    const score = cosine(query, numbersOf(progress.vectorAt(position))) ?? 0;
    scores.push({ index: position - 1, score });
    if (turn.isOver()) await turn.next();
  }
  return scores;
}

/**
 * A refusal of inputs, in the members of a rerank call.
 * @param first the position of the first document among the inputs; what is before it is the query
 */
export function inRerankTerms(error: unknown, first: number): unknown {
  const [issue] = error instanceof Refusal ? (error.details.issues ?? []) : [];
  const [, at, inside = ""] = /^input(?:\.(\d+)(\..+)?)?$/.exec(issue?.path ?? "") ?? [];
  if (!(error instanceof Refusal) || issue === undefined || !issue.path.startsWith("input")) return error;
  const index = at === undefined ? null : Number(at) - first;
  const member = inside.endsWith("image_url.url") ? ".image" : "";
  const path = index === null ? "documents" : index < 0 ? "query" : `documents.${index}${member}`;
  const { issues: _, ...details } = error.details;
  return invalid(path, issue.message, details);
}
