import { videoJobId } from "../../domain/generation-id.ts";
import {
  acceptJob,
  beginJob,
  dropJob,
  holdEveryMs,
  holdJob,
  type JobKey,
  redirectJob,
} from "../../domain/calls/video-jobs.ts";
import { callbackOf } from "../../domain/workspaces/video-webhook.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { videoAad } from "../../domain/secrets/aad.ts";
import { takeTurns } from "../../turns.ts";
import { endAttempt, firstThatAnswers, unhurried } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import { runMedia } from "../media/open.ts";
import type { MediaRun } from "../media/run.ts";
import { settleUnanswered } from "../media/settle.ts";
import type { ModelAnswer, ModelCall } from "../model-call.ts";
import { keepBody, startCall } from "../record.ts";
import { callOf } from "./call-record.ts";
import { videoAmount, videoKind } from "./kind.ts";
import { pollDelayMs } from "./poll.ts";
import { readVideoRequest, type VideoRequest } from "./request.ts";
import { type AcceptedVideo, submitVideo } from "./vendor.ts";
import type { VideoJobs } from "./jobs.ts";

/** How long a job may take until nobody asks for it any more. */
const longestJobMs = 6 * 3_600_000;

/** Has a video begun, and answers with its job. */
export async function videos(deps: RelayDeps, call: ModelCall, jobs: Pick<VideoJobs, "wake">): Promise<ModelAnswer> {
  const context = startCall(deps, call);
  const request = await readVideoRequest(call.body, takeTurns(call.credential.hash));
  const given = { kind: videoKind, context, request, amount: videoAmount(request) };
  return await runMedia(deps, given, async (run) => {
    const answer = await begin(deps, run);
    jobs.wake();
    return answer;
  });
}

async function begin(deps: RelayDeps, run: MediaRun<VideoRequest>): Promise<ModelAnswer> {
  const { domain } = deps;
  const { context, request } = run;
  const { call, workspaceId, createdAt } = context;
  const key: JobKey = { workspace_id: workspaceId, created_at: createdAt, id: videoJobId(context.id) };
  let isBegun = false;
  /** The job is in the store before any provider is asked for it. */
  const record = async (candidate: Candidate) => {
    const { pricing } = candidate.model.row;
    const offered = { provider: candidate.provider.slug, byok_id: candidate.byok?.id ?? null, pricing };
    if (isBegun) return await redirectJob(domain, key, offered);
    const body = keepBody(deps, context, { logged: run.logsBody, body: () => videoKind.body(request, null) });
    const callback = request.callbackUrl ?? (await callbackOf(domain, workspaceId));
    await beginJob(domain, {
      ...key,
      ...offered,
      key_hash: call.credential.hash,
      spend_id: call.credential.spendId,
      model: request.model,
      call: callOf(run, null),
      sealed: body === null ? null : domain.secrets.seal(JSON.stringify(body), videoAad(key.id)),
      // The caller's Host header is nothing to send to others.
      api_url: deps.settings.publicApiUrl ?? "",
      limited: run.reservation.accounts.length > 0,
      callback_url: callback === null ? null : domain.secrets.seal(callback, videoAad(key.id)),
      expires_at: new Date(createdAt.getTime() + longestJobMs),
    });
    isBegun = true;
  };
  const holding = setInterval(() => void holdJob(domain, key).catch(() => {}), holdEveryMs);
  const { candidate, answer, slot } = await firstThatAnswers<AcceptedVideo>(deps, {
    ...run,
    vendor: unhurried,
    ask: async (asked) => {
      await record(asked);
      return await submitVideo(deps, asked, request, call);
    },
    mostCostUnread: run.mostCost,
    wasCounted: () => false,
  })
    .catch(async (error: unknown) => {
      try {
        return await settleUnanswered(deps, run, error);
      } finally {
        if (isBegun) await dropJob(domain, key).catch(() => {});
      }
    })
    .finally(() => clearInterval(holding));
  slot();
  endAttempt(deps, candidate, { latencyMs: answer.latencyMs });
  const { accounts, amount } = run.reservation;
  // What cannot be recorded now stays as it was begun, and is charged later as what nobody knows.
  await deps.ledger.keep(run.reservation, async (client) => {
    await acceptJob(client, key, {
      spendIds: accounts.map(({ spendId }) => spendId),
      amount,
      upstream_id: answer.job,
      call: callOf(run, answer),
      poll_at: new Date(domain.now().getTime() + pollDelayMs(0, 0)),
    });
  });
  const body = { id: key.id, status: "pending", polling_url: `${call.apiUrl}/videos/${key.id}` };
  return {
    status: 202,
    headers: { "content-type": "application/json; charset=utf-8", "x-generation-id": context.id },
    body: JSON.stringify(body),
  };
}
