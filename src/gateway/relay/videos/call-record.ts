import type { ApiType } from "#contract/api-type.ts";
import { errorStatus, type ErrorType } from "#contract/errors.ts";
import type { VideoJobRow } from "../../domain/calls/video-jobs.ts";
import { initialValues, type LedgerEntry } from "../../domain/ledger/entry.ts";
import { memberSpendIdOf } from "../../domain/guardrails/budgets.ts";
import { generationOfVideo } from "../../domain/generation-id.ts";
import { storedAttempts } from "../../domain/ledger/attempt.ts";
import { storedTrace } from "../../domain/ledger/trace.ts";
import { storedText } from "../../domain/stored-text.ts";
import type { BodyToKeep } from "../../domain/bodies/store.ts";
import { videoAad } from "../../domain/secrets/aad.ts";
import { WrongSecretKey } from "../../domain/secrets/box.ts";
import type { RelayDeps } from "../deps.ts";
import type { MediaRun } from "../media/run.ts";
import type { AskedVideo } from "./kind.ts";
import type { VideoRequest } from "./request.ts";
import type { AcceptedVideo } from "./vendor.ts";

/** What the ledger records of the call, apart from how its job ends. */
type Recorded = Pick<
  LedgerEntry,
  | "httpReferer"
  | "appTitle"
  | "userAgent"
  | "requestId"
  | "memberSpendId"
  | "makerSpendId"
  | "presetId"
  | "preset"
  | "presetVersion"
  | "contentFilters"
  | "externalUser"
  | "sessionId"
  | "trace"
  | "attempts"
  | "latencyMs"
  | "upstreamId"
>;

/** The same with what was asked for, as the store has it between the request and the end of its job. */
interface StoredCall {
  readonly recorded: Recorded;
  readonly asked: AskedVideo;
  /** what providers that did not answer may bill, nano-dollars */
  readonly unanswered: { readonly own: string; readonly byok: string };
}

/** Of a text that the ledger records; some are cut shorter there. */
const longestText = 500;

/** @param accepted null: no provider has accepted it yet */
export function callOf(
  { context, request, attempts, amount }: MediaRun<VideoRequest>,
  accepted: AcceptedVideo | null,
): Record<string, unknown> {
  const { call } = context;
  const { attribution, headers, requestId, preset } = call;
  // As the ledger stores them: jsonb does not hold every text.
  const text = (value: string | null | undefined) => (value == null ? null : storedText(value, longestText));
  const stored: StoredCall = {
    recorded: {
      httpReferer: text(attribution.referer),
      appTitle: text(attribution.title),
      userAgent: text(headers["user-agent"]),
      requestId,
      memberSpendId: memberSpendIdOf(call.credential),
      makerSpendId: call.credential.maker?.spendId ?? null,
      presetId: preset?.id ?? null,
      preset: preset?.slug ?? null,
      presetVersion: preset?.version ?? null,
      contentFilters: call.contentFilters ?? null,
      externalUser: text(request.user),
      sessionId: text(request.sessionId),
      trace: request.trace === null ? null : (storedTrace(request.trace) ?? null),
      attempts: storedAttempts(attempts.made),
      latencyMs: accepted?.latencyMs ?? null,
      upstreamId: text(accepted?.upstreamId),
    },
    asked: {
      seconds: amount.media.units,
      images: amount.images ?? 0,
      size: amount.media.variant?.size ?? null,
    },
    unanswered: { own: String(attempts.unanswered.own), byok: String(attempts.unanswered.byok) },
  };
  return { ...stored };
}

export const askedOf = ({ call }: VideoJobRow): AskedVideo => (call as unknown as StoredCall).asked;

/** How a job ended, as the ledger records it. */
interface Outcome {
  /** what the job itself costs, nano-dollars */
  readonly cost: bigint;
  /** null: it has no video */
  readonly seconds: number | null;
  readonly meteredBy: LedgerEntry["meteredBy"];
  readonly errorType: ErrorType | null;
  /** why it has no video; null: it has one */
  readonly why: string | null;
  readonly at: Date;
}

/** The status of a job that was accepted and has a video, as its caller received it. */
const accepted = 202;

export function entryOf(
  { domain }: Pick<RelayDeps, "domain">,
  job: VideoJobRow,
  { cost, seconds, meteredBy, errorType, why, at }: Outcome,
): LedgerEntry {
  const { recorded, unanswered } = job.call as unknown as StoredCall;
  const isByok = job.byok_id !== null;
  const durationMs = Math.max(0, at.getTime() - job.created_at.getTime());
  return {
    ...initialValues,
    ...recorded,
    attempts: why === null ? recorded.attempts : withFailure(recorded.attempts, why, durationMs),
    id: generationOfVideo(job.id) ?? job.id,
    workspaceId: job.workspace_id,
    createdAt: job.created_at,
    keyHash: job.key_hash,
    spendId: job.spend_id,
    apiType: "videos" satisfies ApiType,
    model: job.model,
    provider: job.provider,
    status: errorType === null ? accepted : errorStatus[errorType],
    errorType,
    priced: job.pricing !== null,
    byok: isByok,
    cost: BigInt(unanswered.own) + (isByok ? 0n : cost),
    byokCost: BigInt(unanswered.byok) + (isByok ? cost : 0n),
    durationMs,
    meteredBy,
    unit: seconds === null ? null : "second",
    units: seconds,
    body: bodyOf(domain, job),
  };
}

/** Null as well where the secret key was lost meanwhile: the job ends all the same. */
function bodyOf({ secrets }: RelayDeps["domain"], { id, sealed }: VideoJobRow): BodyToKeep | null {
  if (sealed === null) return null;
  try {
    return JSON.parse(secrets.open(sealed, videoAad(id))) as BodyToKeep;
  } catch (error) {
    if (error instanceof WrongSecretKey) return null;
    throw error;
  }
}

/** The provider that accepted the job is the one that failed, when the job did and for its reason. */
function withFailure(attempts: Recorded["attempts"], why: string, durationMs: number): Recorded["attempts"] {
  const last = attempts.at(-1);
  if (last === undefined) return attempts;
  const failed = { ...last, error: why, latency_ms: Math.max(0, durationMs - (last.started_ms ?? 0)) };
  return storedAttempts([...attempts.slice(0, -1), failed]);
}
