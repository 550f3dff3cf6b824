import { toUsd } from "#contract/money.ts";
import type { KeptBody } from "../domain/forwarded-events.ts";
import type { Reservation, Settlement } from "../domain/ledger.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Route } from "../domain/routing.ts";
import { type Batch, jsonOf } from "./embed-batch.ts";
import type { EmbeddingsRequest } from "./embeddings-request.ts";
import type { RelayParts } from "./parts.ts";
import { type Begun, entryOf } from "./record.ts";

/** Charges what was spent, and waits until that is recorded; where nothing was, the vendor's error is what a caller is told. */
export async function settleEmbeddings(
  parts: RelayParts,
  begun: Begun,
  request: EmbeddingsRequest,
  { candidates }: Route,
  reservation: Reservation,
  batch: Batch,
  error: unknown,
  keep: boolean,
): Promise<Settlement> {
  const { served } = batch;
  const refusal = error instanceof Refusal ? error : null;
  const settlement = parts.ledger.settle(
    reservation,
    entryOf(begun, {
      apiType: "embeddings",
      model: request.model,
      provider: served?.provider.slug ?? candidates[0]?.provider.slug ?? "",
      status: error === null ? 200 : (refusal?.status ?? 500),
      errorType: error === null ? null : (refusal?.type ?? "server"),
      promptTokens: batch.promptTokens,
      cachedTokens: batch.cachedTokens,
      meteredBy: batch.meteredBy,
      priced: batch.priced,
      byok: served !== null && served.byok !== null,
      cost: batch.cost,
      byokCost: batch.byokCost,
      saved: batch.saved,
      inputs: request.items.length,
      cachedInputs: batch.cachedInputs,
      latencyMs: batch.latencyMs,
      attempts: batch.attempts,
      externalUser: request.user,
      sessionId: request.sessionId,
      trace: request.trace,
      body: parts.deps.bodies.keep(begun.workspaceId, keep, () => bodyOf(request)),
    }),
  );
  if (error === null || batch.cost + batch.byokCost > 0n) await settlement.committed;
  else await settlement.committed.catch(() => {});
  return settlement;
}

/** The inputs; vectors are not kept. */
function bodyOf({ items }: EmbeddingsRequest): KeptBody {
  return { input: items.map((item) => (item.type === "text" ? item.text : item)), output: null, error: null };
}

/** The public API's answer. Vectors are written as they came wherever they have the form that was asked for. */
export function embeddingsAnswer(
  { id }: Begun,
  request: EmbeddingsRequest,
  batch: Batch,
  { own, byok }: Settlement,
): readonly Buffer[] {
  const { promptTokens, imageTokens, cachedTokens, served } = batch;
  const details = {
    ...(imageTokens > 0 ? { text_tokens: promptTokens - imageTokens, image_tokens: imageTokens } : {}),
    ...(cachedTokens > 0 ? { cached_tokens: cachedTokens } : {}),
  };
  const usage = {
    prompt_tokens: promptTokens,
    total_tokens: promptTokens,
    cost: toUsd(own + byok),
    is_byok: served !== null && served.byok !== null,
    ...(Object.keys(details).length === 0 ? {} : { prompt_tokens_details: details }),
  };
  const head = `{"id":"${id}","object":"list","model":${JSON.stringify(request.model)},"data":`;
  const tail = `,"usage":${JSON.stringify(usage)}}`;
  if (batch.data !== null) return [Buffer.from(head), batch.data, Buffer.from(tail)];
  const data = batch.vectors.map((vector, index) => {
    if (vector === null) throw new Error(`vector ${index} is missing`);
    return `{"object":"embedding","index":${index},"embedding":${jsonOf(vector, request.format)}}`;
  });
  return [Buffer.from(`${head}[${data.join(",")}]${tail}`)];
}
