import { toUsd } from "#contract/money.ts";
import { takeTurns } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { TranscriptionUsage } from "../../providers/provider.ts";
import { endAttempt, firstThatAnswers, unhurried } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import { mediaCost } from "../media/kind.ts";
import { runMedia } from "../media/open.ts";
import type { MediaRun } from "../media/run.ts";
import { settleMedia, settleUnanswered } from "../media/settle.ts";
import type { ModelAnswer, ModelCall } from "../model-call.ts";
import { startCall } from "../record.ts";
import { billedAmount, countedAmount, transcriptionAmount, transcriptionKind } from "./kind.ts";
import { readTranscriptionRequest, type TranscriptionRequest } from "./request.ts";
import { askTranscription } from "./upstream.ts";

/** Answers one call with what is said in its audio. */
export async function transcribe(deps: RelayDeps, call: ModelCall): Promise<ModelAnswer> {
  const context = startCall(deps, call);
  const request = await readTranscriptionRequest(call, takeTurns(call.credential.hash));
  const given = { kind: transcriptionKind, context, request, amount: transcriptionAmount(request) };
  return await runMedia(deps, given, async (run) => await transcribeAtProvider(deps, run));
}

async function transcribeAtProvider(deps: RelayDeps, run: MediaRun<TranscriptionRequest>): Promise<ModelAnswer> {
  const { context, request, mostCost } = run;
  const received: { usage: TranscriptionUsage | null } = { usage: null };
  const { candidate, answer, slot } = await firstThatAnswers(deps, {
    ...run,
    vendor: unhurried,
    ask: (asked) => askTranscription(deps, asked, run, received),
    mostCostUnread: (asked) =>
      received.usage === null
        ? mostCost(asked)
        : mediaCost(asked, billedAmount(run.amount, request, asked, received.usage)),
    wasCounted: () => received.usage !== null,
  }).catch((error: unknown) => settleUnanswered(deps, run, error));
  slot();
  const { result, usage, latencyMs } = answer;
  endAttempt(deps, candidate, { latencyMs });
  const turn = takeTurns(context.call.credential.hash, { patient: true });
  const own = await countedAmount(run.amount, result.text, turn);
  const billed = billedAmount(own, request, candidate, usage);
  const settlement = settleMedia(deps, run, {
    candidate,
    billed,
    meteredBy: usage === null ? "gateway" : "upstream",
    latencyMs,
    upstreamId: null,
    cancelled: false,
    error: null,
    said: result.text,
  });
  await settlement.committed;
  const { promptTokens, completionTokens, media } = billed;
  const body = {
    ...result,
    usage: {
      cost: toUsd(settlement.own + settlement.byok),
      is_byok: candidate.byok !== null,
      seconds: media.units,
      ...(usage?.inputTokens != null && {
        input_tokens: promptTokens,
        output_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
      }),
    },
  };
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "x-generation-id": context.id },
    body: await writeJsonInTurns(body, turn),
  };
}
