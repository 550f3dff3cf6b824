import { localUpstreamId } from "../../domain/providers/local-model.ts";
import { invalid } from "../../domain/refusal.ts";
import { CallFailed } from "../../providers/call.ts";
import { failure } from "../../providers/failure.ts";
import { imageBytes } from "../../providers/images.ts";
import { builtin } from "../../providers/local/builtin.ts";
import { BadImage } from "../../providers/local/decode-image.ts";
import { TooLong } from "../../providers/local/model-pool.ts";
import { extractFeatures, TooManyImages } from "../../providers/local/image-features.ts";
import type { EmbeddingItem, EmbeddingsCall } from "../../providers/provider.ts";
import { runInTurns, type Turn } from "../../turns.ts";
import { textIn } from "./estimate.ts";
import { roleOf } from "./input-type.ts";
import type { LocalVectors } from "./part.ts";
import { unhurried } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";

/** Images per input; as many as vendors accept. */
const mostImageBytes = 10 * 1_048_576;
/** Decoding base64 blocks the thread: images that are certainly too large are not decoded. */
const mostDataUrl = (mostImageBytes / 3) * 4 + 1_024;
const tooLarge = (bytes: number) => `has ${bytes} bytes: at most ${mostImageBytes} are taken`;

/**
 * Calls the built-in model.
 * @param positions of the items in the request, for naming one
 * @throws Refusal naming the faulty image; CallFailed
 */
export async function embedLocally(
  deps: RelayDeps,
  wanted: EmbeddingsCall,
  positions: readonly number[],
  turn: Turn,
): Promise<LocalVectors> {
  const started = performance.now();
  if (wanted.model === localUpstreamId) return await embedWithLocalModel(deps, wanted, positions, started);
  turn.begin();
  const vectors: Float32Array[] = [];
  let promptTokens = 0;
  let imageTokens = 0;
  for (const [index, item] of wanted.items.entries()) {
    const features = item.type === "block" ? await featuresIn(deps, item, positions[index] ?? index, turn.owner) : [];
    const { vector, usage } = await runInTurns(builtin.embed(wanted, item, features), turn);
    vectors.push(vector);
    promptTokens += usage.promptTokens;
    imageTokens += usage.imageTokens ?? 0;
  }
  return {
    vectors,
    usage: { promptTokens, completionTokens: 0, ...(imageTokens > 0 ? { imageTokens } : {}) },
    latencyMs: performance.now() - started,
  };
}

async function featuresIn(
  deps: RelayDeps,
  item: Extract<EmbeddingItem, { type: "block" }>,
  position: number,
  owner: string,
): Promise<Float64Array[]> {
  const features: Float64Array[] = [];
  for (const [at, part] of item.parts.entries()) {
    if (part.type !== "image_url") continue;
    features.push(await featuresOf(deps, part.image_url.url, `input.${position}.content.${at}.image_url.url`, owner));
  }
  return features;
}

async function featuresOf(
  { callerDispatcher }: RelayDeps,
  url: string,
  path: string,
  owner: string,
): Promise<Float64Array> {
  try {
    if (url.startsWith("data:") && url.length > mostDataUrl)
      throw new BadImage(tooLarge(Math.floor(url.length * 0.75)));
    const bytes = await imageBytes(callerDispatcher, url, unhurried);
    if (bytes.length > mostImageBytes) {
      throw new BadImage(tooLarge(bytes.length));
    }
    return await extractFeatures(Uint8Array.from(bytes), owner);
  } catch (error) {
    if (error instanceof BadImage) throw invalid(path, error.message);
    if (error instanceof CallFailed) throw invalid(path, `cannot be used: ${error.failure.message}`);
    if (!(error instanceof TooManyImages)) throw error;
    throw new CallFailed(failure("overloaded", { message: "too many images are waiting to be looked at" }));
  }
}

async function embedWithLocalModel(
  { localModel }: RelayDeps,
  { items, inputType, truncate }: EmbeddingsCall,
  positions: readonly number[],
  started: number,
): Promise<LocalVectors> {
  if (localModel === null) {
    throw new CallFailed(
      failure("connection", {
        message: "the local model is not available: GATEHOUSE_LOCAL_MODEL is not set",
        mayBill: false,
      }),
    );
  }
  const texts = items.map(textIn);
  try {
    const { vectors, tokens } = await localModel.embed(texts, roleOf(inputType), truncate === true);
    const promptTokens = tokens.reduce((sum, count) => sum + count, 0);
    return {
      vectors,
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
