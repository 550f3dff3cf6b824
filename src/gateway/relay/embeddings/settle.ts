import type { KeptBody } from "../../domain/bodies/body.ts";
import type { Settlement } from "../../domain/ledger/ledger.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RelayDeps } from "../deps.ts";
import { vectorParameters } from "../call-parameters.ts";
import { keepBody, toLedgerEntry, withId } from "../record.ts";
import type { EmbeddingsRequest } from "./request.ts";
import type { EmbeddingsRun } from "./run.ts";

/** Charges what was spent, and waits until it is recorded; if nothing was, the caller gets the vendor's error. */
export async function settleEmbeddings(deps: RelayDeps, run: EmbeddingsRun, error: unknown): Promise<Settlement> {
  const { context, progress, request, route, unanswered } = run;
  const { served, attempts } = progress;
  // Of a rerank call, the documents.
  const inputs = request.items.length - (request.queries ?? 0);
  const cost = progress.cost + unanswered.own;
  const byokCost = progress.byokCost + unanswered.byok;
  const refusal = error instanceof Refusal ? error : null;
  // As web servers log it. Only a call that still waits for a process of this machine is given up.
  const left = error !== null && refusal === null && error === context.call.signal.reason;
  run.countTokens(progress.promptTokens);
  const settlement = deps.ledger.settle(
    run.reservation,
    toLedgerEntry(context, {
      apiType: run.apiType,
      model: request.model,
      responseModel: progress.responseModel,
      parameters: run.apiType === "embeddings" ? vectorParameters(request, served) : null,
      provider: served?.provider.slug ?? attempts.at(-1)?.provider ?? route.candidates[0]?.provider.slug ?? "",
      ...(left
        ? { status: 499, errorType: null, cancelled: true }
        : {
            status: error === null ? 200 : (refusal?.status ?? 500),
            errorType: error === null ? null : (refusal?.type ?? "server"),
          }),
      promptTokens: progress.promptTokens,
      cachedTokens: progress.cachedTokens,
      meteredBy: served === null && cost + byokCost > 0n ? "gateway" : progress.meteredBy,
      priced: progress.priced,
      byok: served === null ? cost === 0n && byokCost > 0n : served.byok !== null,
      cost,
      byokCost,
      saved: progress.saved,
      storedSaved: progress.storedSaved,
      storedInputs: Math.min(progress.storedInputs, inputs),
      inputs,
      cachedInputs: Math.min(progress.cachedInputs, inputs),
      latencyMs: progress.latencyMs,
      attempts,
      externalUser: request.user,
      sessionId: request.sessionId,
      trace: progress.findings ?? request.trace,
      body: keepBody(deps, context, { logged: run.logsBody, body: () => bodyOf(request) }),
    }),
  );
  if (error === null || cost + byokCost > 0n) await settlement.committed;
  else await settlement.committed.catch(() => {});
  return settlement;
}

/** Charges what an unanswered call has spent. @throws the error, with the call's id */
export async function settleFailed(deps: RelayDeps, run: EmbeddingsRun, error: unknown): Promise<never> {
  await settleEmbeddings(deps, run, error);
  throw withId(error, run.context);
}

/** The inputs; vectors are not kept. */
export function bodyOf({ items }: EmbeddingsRequest): KeptBody {
  return { input: items.map((item) => (item.type === "text" ? item.text : item)), output: null, error: null };
}
