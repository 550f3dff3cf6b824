import { setImmediate as nextTurn } from "node:timers/promises";
import { localUpstreamId } from "../domain/local-model.ts";
import { invalid } from "../domain/refusal.ts";
import { CallFailed } from "../providers/call.ts";
import { failure } from "../providers/failure.ts";
import { imageBytes } from "../providers/images.ts";
import { builtin } from "../providers/local/builtin.ts";
import { BadPicture } from "../providers/local/decode-picture.ts";
import type { Role } from "../providers/local/model-messages.ts";
import { TooLong } from "../providers/local/model-pool.ts";
import { lookAt, TooManyPictures } from "../providers/local/pictures.ts";
import type { EmbeddingItem, EmbeddingsCall } from "../providers/provider.ts";
import type { UpstreamVectors } from "./embed-upstream.ts";
import type { RelayParts } from "./parts.ts";

/** Characters that are embedded before other calls get their turn. */
const turnCharacters = 50_000;
/** In one input; as many as vendors take. */
const mostPictureBytes = 10 * 1_048_576;

/**
 * Asks the built-in model.
 * @param positions of the items in the request, for naming one
 * @throws Refusal naming the picture that is at fault; CallFailed
 */
export async function embedHere(
  parts: RelayParts,
  wanted: EmbeddingsCall,
  positions: readonly number[],
): Promise<UpstreamVectors> {
  const started = performance.now();
  if (wanted.model === localUpstreamId) return await embedLocally(parts, wanted, positions, started);
  const vectors: Float32Array[] = [];
  let promptTokens = 0;
  let imageTokens = 0;
  let characters = 0;
  for (const [index, item] of wanted.items.entries()) {
    const looks = await looksOf(parts, item, positions[index] ?? index);
    const { vector, usage } = builtin.embed(wanted, item, looks);
    vectors.push(vector);
    promptTokens += usage.promptTokens;
    imageTokens += usage.imageTokens ?? 0;
    characters += item.type === "text" ? item.text.length : 0;
    if (characters < turnCharacters) continue;
    characters = 0;
    await nextTurn();
  }
  return {
    vectors,
    data: null,
    usage: { promptTokens, completionTokens: 0, ...(imageTokens > 0 ? { imageTokens } : {}) },
    latencyMs: performance.now() - started,
  };
}

/** The caller waits for the pictures; whoever leaves lets them be looked at in vain. */
const unhurried = new AbortController().signal;

async function looksOf(parts: RelayParts, item: EmbeddingItem, position: number): Promise<Float64Array[]> {
  if (item.type !== "block") return [];
  const looks: Float64Array[] = [];
  for (const [at, part] of item.parts.entries()) {
    if (part.type !== "image_url") continue;
    looks.push(await lookOf(parts, part.image_url.url, `input.${position}.content.${at}.image_url.url`));
  }
  return looks;
}

async function lookOf({ callerDispatcher }: RelayParts, url: string, path: string): Promise<Float64Array> {
  try {
    const bytes = await imageBytes(callerDispatcher, url, unhurried);
    if (bytes.length > mostPictureBytes) {
      throw new BadPicture(`has ${bytes.length} bytes: at most ${mostPictureBytes} are taken`);
    }
    return await lookAt(Uint8Array.from(bytes));
  } catch (error) {
    if (error instanceof BadPicture) throw invalid(path, error.message);
    if (error instanceof CallFailed) throw invalid(path, `cannot be used: ${error.failure.message}`);
    if (!(error instanceof TooManyPictures)) throw error;
    throw new CallFailed(failure("overloaded", { message: "too many pictures are waiting to be looked at" }));
  }
}

const roles: Readonly<Record<string, Role>> = {
  query: "query",
  search_query: "query",
  document: "document",
  passage: "document",
  search_document: "document",
};

async function embedLocally(
  { localModel }: RelayParts,
  { items, inputType, truncate }: EmbeddingsCall,
  positions: readonly number[],
  started: number,
): Promise<UpstreamVectors> {
  if (localModel === null) {
    throw new CallFailed(
      failure("connection", { message: "the local model is not there: GATEHOUSE_LOCAL_MODEL is not set" }),
    );
  }
  const texts = items.map((item) => (item.type === "text" ? item.text : textIn(item)));
  try {
    const { vectors, tokens } = await localModel.embed(texts, roles[inputType ?? ""] ?? null, truncate === true);
    const promptTokens = tokens.reduce((sum, count) => sum + count, 0);
    return {
      vectors,
      data: null,
      usage: { promptTokens, completionTokens: 0 },
      latencyMs: performance.now() - started,
    };
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    const index = positions[error.index] ?? error.index;
    const message = `has ${error.tokens} tokens, more than the model takes: shorten it, or send truncate: true`;
    throw invalid(`input.${index}`, message, { index, tokens: error.tokens, exact: true });
  }
}

function textIn(item: EmbeddingItem): string {
  if (item.type !== "block") return "";
  return item.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
