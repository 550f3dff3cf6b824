import { toUsd } from "#contract/money.ts";
import type { ImagesUsage } from "../../providers/provider.ts";
import { takeTurns } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import { endAttempt, firstThatAnswers, unhurried } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import { mediaCost } from "../media/kind.ts";
import { runMedia } from "../media/open.ts";
import type { MediaRun } from "../media/run.ts";
import { settleMedia, settleUnanswered } from "../media/settle.ts";
import { streamedAnswer } from "../media/streamed-answer.ts";
import type { ModelAnswer, ModelCall } from "../model-call.ts";
import { startCall } from "../record.ts";
import { shown, usageOf } from "./answer.ts";
import { billedAmount, imageAmount, imageKind } from "./kind.ts";
import { type ImageRequest, readImageRequest } from "./request.ts";
import { ImageStream } from "./stream.ts";
import { askImages } from "./upstream.ts";

/** Answers one call with images, as JSON or as events. */
export async function images(deps: RelayDeps, call: ModelCall): Promise<ModelAnswer> {
  const context = startCall(deps, call);
  const turn = takeTurns(call.credential.hash);
  const request = await readImageRequest(call.body, turn);
  const amount = await imageAmount(request, turn, call.signal);
  return await runMedia(deps, { kind: imageKind, context, request, amount }, async (run) => await make(deps, run));
}

async function make(deps: RelayDeps, run: MediaRun<ImageRequest>): Promise<ModelAnswer> {
  const { context, request, mostCost } = run;
  const received: { usage: ImagesUsage | null } = { usage: null };
  const unread = (usage: ImagesUsage) => ({ made: null, usage, quality: null, size: null });
  const { candidate, answer, slot } = await firstThatAnswers(deps, {
    ...run,
    vendor: unhurried,
    ask: (asked) => askImages(deps, asked, run, received),
    mostCostUnread: (asked) =>
      received.usage === null
        ? mostCost(asked)
        : mediaCost(asked, billedAmount(run.amount, request, asked, unread(received.usage))),
    wasCounted: () => received.usage !== null,
  }).catch((error: unknown) => settleUnanswered(deps, run, error));
  const { latencyMs, upstreamId } = answer;
  if (answer.events !== null) {
    const stream = new ImageStream(deps, run, { candidate, slot, latencyMs, upstreamId, events: answer.events });
    if (context.call.signal.aborted) {
      await stream.leave();
      throw context.call.signal.reason;
    }
    return streamedAnswer(deps, context, {
      contentType: "text/event-stream; charset=utf-8",
      pieces: stream.frames(),
      leave: () => stream.leave(),
    });
  }
  slot();
  endAttempt(deps, candidate, { latencyMs });
  const { images: made, created, usage, quality, size } = answer.answer;
  const billed = billedAmount(run.amount, request, candidate, { made: made.length, usage, quality, size });
  const settlement = settleMedia(deps, run, {
    candidate,
    billed,
    meteredBy: usage === null ? "gateway" : "upstream",
    latencyMs,
    upstreamId,
    cancelled: false,
    error: null,
  });
  await settlement.committed;
  const body = {
    created: created ?? Math.floor(context.createdAt.getTime() / 1_000),
    data: made.map((image) => shown(image, request)),
    usage: usageOf(billed, toUsd(settlement.own + settlement.byok), candidate),
  };
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "x-generation-id": context.id },
    body: await writeJsonInTurns(body, takeTurns(context.call.credential.hash, { patient: true })),
  };
}
