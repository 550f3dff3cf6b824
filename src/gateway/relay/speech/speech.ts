import { speechTypes } from "#contract/speech.ts";
import { takeTurns } from "../../turns.ts";
import { type Answered, endAnswer, firstThatAnswers, refusalOf } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import { runMedia } from "../media/open.ts";
import type { MediaRun } from "../media/run.ts";
import { settleMedia, settleUnanswered } from "../media/settle.ts";
import { streamedAnswer } from "../media/streamed-answer.ts";
import type { ModelAnswer, ModelCall } from "../model-call.ts";
import { startCall } from "../record.ts";
import { speechAmount, speechKind } from "./kind.ts";
import { readSpeechRequest, type SpeechRequest } from "./request.ts";
import { askSpeech, type Audio } from "./upstream.ts";

/** Answers one speech call with the provider's audio, as it comes. */
export async function speech(deps: RelayDeps, call: ModelCall): Promise<ModelAnswer> {
  const context = startCall(deps, call);
  const turn = takeTurns(call.credential.hash);
  const request = await readSpeechRequest(call.body, turn);
  const amount = await speechAmount(request, turn, call.signal);
  return await runMedia(deps, { kind: speechKind, context, request, amount }, async (run) => await speak(deps, run));
}

/**
 * What is spoken is billed once it is requested: a caller who leaves before the first byte does not cancel it, and the
 * rest of an answer whose caller has left is not fetched.
 */
async function speak(deps: RelayDeps, run: MediaRun<SpeechRequest>): Promise<ModelAnswer> {
  const { context, request, mostCost } = run;
  const vendor = new AbortController();
  const served = await firstThatAnswers(deps, {
    ...run,
    vendor: vendor.signal,
    ask: (candidate) => askSpeech(deps, candidate, run, vendor.signal),
    mostCostUnread: mostCost,
    wasCounted: () => false,
  }).catch((error: unknown) => settleUnanswered(deps, run, error));
  const spoken = new Spoken(deps, run, served, vendor);
  const { signal: caller } = context.call;
  if (caller.aborted) {
    await spoken.leave();
    throw caller.reason;
  }
  // The vendor may be silent just then.
  caller.addEventListener("abort", () => vendor.abort(), { once: true });
  return streamedAnswer(deps, context, {
    contentType: speechTypes[request.format],
    pieces: spoken.pieces(),
    leave: () => spoken.leave(),
  });
}

/** Audio on its way to the caller, to its settlement. */
class Spoken {
  private settled = false;
  private readonly deps: RelayDeps;
  private readonly run: MediaRun<SpeechRequest>;
  private readonly served: Answered<Audio>;
  private readonly vendor: AbortController;

  constructor(deps: RelayDeps, run: MediaRun<SpeechRequest>, served: Answered<Audio>, vendor: AbortController) {
    this.deps = deps;
    this.run = run;
    this.served = served;
    this.vendor = vendor;
  }

  /** After the last of them the answer waits for the commit; a broken answer can only be cut. */
  async *pieces(): AsyncGenerator<Buffer, void, void> {
    const { deps, served, vendor } = this;
    try {
      yield* served.answer.pieces;
    } catch (thrown) {
      // The caller has left.
      if (vendor.signal.aborted) return;
      const error = deps.interrupted() ?? refusalOf(thrown, served.candidate);
      await this.settle({ error, fault: thrown, cancelled: false });
      throw error;
    }
    await this.settle({ error: null, fault: null, cancelled: false });
  }

  /** Call it when the caller has stopped reading, or has read everything. */
  async leave(): Promise<void> {
    const { deps, run, served, vendor } = this;
    try {
      await this.settle({ error: null, fault: null, cancelled: true }).catch(() => {});
    } finally {
      vendor.abort();
      served.slot();
      deps.ledger.release(run.reservation);
    }
  }

  private async settle({ error, fault, cancelled }: SpokenEnd): Promise<void> {
    if (this.settled) return;
    this.settled = true;
    const { deps, run, served } = this;
    const { candidate, answer } = served;
    const { latencyMs, upstreamId } = answer;
    endAnswer(deps, candidate, { fault, isNeutral: cancelled || error !== null, latencyMs });
    const settlement = settleMedia(deps, run, {
      candidate,
      billed: run.amount,
      meteredBy: "gateway",
      latencyMs,
      upstreamId,
      cancelled,
      error,
    });
    await settlement.committed;
  }
}

/** How the audio ended. */
interface SpokenEnd {
  /** what the caller is told, if anything can be; null: nothing went wrong */
  readonly error: unknown;
  /** what went wrong, as it was thrown */
  readonly fault: unknown;
  readonly cancelled: boolean;
}
