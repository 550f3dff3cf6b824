import { semanticModelId } from "../../domain/providers/semantic-model.ts";
import { invalid, Refusal } from "../../domain/refusal.ts";
import { mostTokens } from "../../providers/local/semantic/encoder.ts";
import { SemanticUnavailable } from "../../providers/local/semantic/text-queue.ts";
import { TooLong } from "../../providers/local/model-pool.ts";
import type { RelayDeps } from "../deps.ts";
import { textIn } from "./estimate.ts";
import type { EmbeddingsRun } from "./run.ts";
import type { LocalVectors, Part } from "./part.ts";

/** A text of 128 tokens has a hundredth of it. */
const mostCharacters = 65_536;

/**
 * Calls the built-in semantic model, which counts and cuts by its own tokenizer.
 * @throws Refusal naming the text that is too long, or unavailable while its process is away; the reason of the caller
 * who left
 */
export async function embedMeaning(
  { semanticModel }: RelayDeps,
  { context, request, turn }: EmbeddingsRun,
  { items, positions }: Part,
): Promise<LocalVectors> {
  const started = performance.now();
  const { truncate } = request;
  const pathOf = (index: number) => (request.items.length === 1 ? "input" : `input.${positions[index] ?? index}`);
  const texts = items.map((item, index) => {
    const text = textIn(item);
    if (text.length <= mostCharacters) return text;
    if (truncate) return text.slice(0, mostCharacters);
    const message = `must have at most ${mostCharacters} characters: shorten it, or send truncate: true`;
    throw invalid(pathOf(index), message);
  });
  try {
    if (semanticModel === null) throw new SemanticUnavailable("its package is not installed", 60_000);
    const encoded = await semanticModel.embed(texts, { owner: turn.owner, truncate, signal: context.call.signal });
    return {
      vectors: encoded.map(({ vector }) => vector),
      usage: { promptTokens: encoded.reduce((sum, { tokens }) => sum + tokens, 0), completionTokens: 0 },
      latencyMs: performance.now() - started,
      unfamiliar: encoded.map(({ familiar }) => !familiar),
    };
  } catch (error) {
    if (error instanceof TooLong) {
      const { index, tokens } = error;
      const message = `has ${tokens} tokens, and ${request.model} takes at most ${mostTokens}: shorten it, or send truncate: true`;
      const details = { index: positions[index] ?? index, tokens, context_length: mostTokens, exact: true };
      throw invalid(pathOf(index), message, details);
    }
    if (!(error instanceof SemanticUnavailable)) throw error;
    const { message, retryAfterSeconds } = error;
    throw new Refusal("unavailable", `${semanticModelId} cannot answer: ${message}. Try again`, { retryAfterSeconds });
  }
}
