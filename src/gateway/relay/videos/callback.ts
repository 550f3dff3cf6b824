import { endCallback, type VideoJobRow } from "../../domain/calls/video-jobs.ts";
import { videoAad } from "../../domain/secrets/aad.ts";
import { WrongSecretKey } from "../../domain/secrets/box.ts";
import { signatureOf } from "../../domain/workspaces/video-webhook.ts";
import { call, CallFailed } from "../../providers/call.ts";
import { unhurried } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import { shownJob } from "./answer.ts";

const timeoutMs = 10_000;
/** How long to wait after each failure; then nobody is told any more. */
const pausesMs = [10, 60, 300, 1_800, 7_200, 21_600, 43_200].map((seconds) => seconds * 1_000);

/** Tells of a job that has ended, which this process has claimed. */
export async function tell(deps: RelayDeps, job: VideoJobRow): Promise<void> {
  const isHeard = await post(deps, job);
  if (deps.interrupted() !== null && !isHeard) return;
  const pause = pausesMs[job.callback_tries] ?? null;
  await endCallback(deps.domain, job, isHeard ? null : pause);
  if (!isHeard && pause === null)
    deps.warn("a video's caller could not be notified", { job: job.id, workspace_id: job.workspace_id });
}

/** Whether the receiver has it. */
async function post(deps: RelayDeps, job: VideoJobRow): Promise<boolean> {
  const { domain } = deps;
  if (job.callback_url === null) return true;
  try {
    const url = domain.secrets.open(job.callback_url, videoAad(job.id));
    const at = domain.now();
    const body = JSON.stringify(messageOf(deps, job, at));
    const signature = await signatureOf(domain, job.workspace_id, { body, at });
    const answer = await call(
      deps.callerDispatcher,
      {
        method: "POST",
        url,
        headers: {
          "content-type": "application/json",
          "user-agent": "gatehouse",
          "x-openrouter-idempotency-key": `${job.id}-${job.status}`,
          ...(signature !== null && { "x-openrouter-signature": signature }),
        },
        body,
      },
      { signal: unhurried, headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs },
    );
    // What it says is nobody's concern; destroying it emits an error event.
    answer.body.on("error", () => {}).destroy();
    return answer.status >= 200 && answer.status < 300;
  } catch (error) {
    if (error instanceof CallFailed || error instanceof WrongSecretKey) return false;
    throw error;
  }
}

function messageOf(deps: RelayDeps, job: VideoJobRow, at: Date): object {
  const { id, status, generation_id, unsigned_urls, usage, error } = shownJob(deps, job, job.api_url);
  return {
    type: `video.generation.${status}`,
    created_at: at.toISOString(),
    data: {
      id,
      status,
      generation_id: generation_id ?? null,
      model: job.model,
      ...(job.api_url !== "" && { unsigned_urls: unsigned_urls ?? [] }),
      usage: usage ?? null,
      error: error ?? null,
    },
  };
}
