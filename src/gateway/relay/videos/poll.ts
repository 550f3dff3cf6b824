import {
  claimJob,
  dropJob,
  endJob,
  findJob,
  type JobEnd,
  type JobKey,
  keepJobs,
  type Progress,
  type VideoJobRow,
} from "../../domain/calls/video-jobs.ts";
import type { Credential } from "../../domain/keys/credentials.ts";
import type { CatalogProvider } from "../../domain/routing/catalog.ts";
import { storedText } from "../../domain/stored-text.ts";
import { CallFailed } from "../../providers/call.ts";
import { BadAnswer, type VideoState } from "../../providers/provider.ts";
import { withoutSecrets } from "../../providers/redact.ts";
import type { RelayDeps } from "../deps.ts";
import { askedOf, entryOf } from "./call-record.ts";
import { videoCost } from "./kind.ts";
import { askVendor, refusalOfJob, type VideoVendor, videoVendorOf } from "./vendor.ts";

const shortestDelayMs = 2_000;
const longestDelayMs = 30_000;
const longestPauseMs = 300_000;
/** A caller's question is passed on to the provider no more often than this. */
const restMs = 1_000;
/** How long the answer to a question is waited for. */
const pollTimeoutMs = 20_000;
/** How long a caller waits for it. */
const patienceMs = 5_000;
/** A provider that does not know its own job so often will not know it again. */
const mostUnknown = 5;
const longestError = 500;

/** How long to wait before a provider is asked again: a fifteenth of a job's age, and twice as long after each failure. */
export function pollDelayMs(ageMs: number, failures: number): number {
  if (failures > 0) return Math.min(shortestDelayMs * 2 ** failures, longestPauseMs);
  return Math.min(Math.max(ageMs / 15, shortestDelayMs), longestDelayMs);
}

/** A job of the caller's, as its provider has it now if it was not asked a moment ago. @throws Refusal not_found */
export async function seeJob(deps: RelayDeps, id: string, { spendId }: Credential): Promise<VideoJobRow> {
  const job = await findJob(deps.domain, id, spendId);
  if (job.ended_at !== null) return job;
  const claimed = await claimJob(deps.domain, job, restMs);
  if (claimed === null) return job;
  const polled = pollJob(deps, claimed).then((goes) => (goes === null ? undefined : keepJobs(deps.domain, [goes])));
  deps.untilSettled(polled);
  await Promise.race([polled, new Promise((resolve) => void setTimeout(resolve, patienceMs).unref())]);
  return await findJob(deps.domain, id, spendId);
}

/**
 * Asks a provider about a job that this process has claimed, and ends the job if it is over.
 * @returns what is to be kept of a job that goes on
 */
export async function pollJob(deps: RelayDeps, job: VideoJobRow): Promise<Progress | null> {
  const { domain } = deps;
  const at = domain.now();
  if (job.upstream_id === null) return await endUnknown(deps, job, "the gateway stopped while it was submitted");
  const isOver = at >= job.expires_at;
  const asked = await ask(deps, job, job.upstream_id);
  if (deps.interrupted() !== null) return null;
  if (asked.state !== null && isEnded(asked.state)) return await end(deps, job, asked.state);
  if (isOver) return await endUnknown(deps, job, "the provider did not end it in time", "expired");
  const failures = asked.state === null ? job.failures + 1 : 0;
  if (asked.isUnknown && failures >= mostUnknown) return await endUnknown(deps, job, "the provider does not know it");
  const polledAt = domain.now();
  const delayMs = pollDelayMs(at.getTime() - job.created_at.getTime(), failures);
  const pollAt = new Date(polledAt.getTime() + delayMs);
  return { key: job, status: asked.state?.status ?? job.status, failures, polledAt, pollAt };
}

interface Asked {
  /** null: it did not say */
  readonly state: VideoState | null;
  /** the provider says that it has no such job */
  readonly isUnknown: boolean;
}

async function ask(deps: RelayDeps, job: VideoJobRow, upstreamId: string): Promise<Asked> {
  const vendor = vendorOf(deps, job);
  if (vendor === null) return { state: null, isUnknown: false };
  const { dialect, upstream } = vendor;
  try {
    const { text } = await askVendor(deps, vendor, dialect.toPoll(upstream, upstreamId), pollTimeoutMs);
    const state = dialect.readState(upstream, upstreamId, text);
    return {
      state: { ...state, error: safe(vendor, state.error ?? refusalOfJob(vendor, text)?.message ?? null) },
      isUnknown: false,
    };
  } catch (error) {
    if (error instanceof CallFailed) return { state: null, isUnknown: error.failure.reason === "not_found" };
    if (error instanceof BadAnswer) return { state: null, isUnknown: false };
    throw error;
  }
}

const safe = ({ upstream }: VideoVendor, error: string | null) =>
  error === null ? null : storedText(withoutSecrets(upstream, error), longestError);

/** The job's provider as it is now; null: it cannot be reached any more, or not with the key that the job was begun with. */
export function vendorOf({ domain }: RelayDeps, job: VideoJobRow): VideoVendor | null {
  const provider = providerOf(domain.catalog.current(domain), job);
  return provider === undefined || provider.unreadable ? null : videoVendorOf(provider);
}

function providerOf(
  { providers, byok }: ReturnType<RelayDeps["domain"]["catalog"]["current"]>,
  job: VideoJobRow,
): CatalogProvider | undefined {
  if (job.byok_id === null) return providers.find(({ slug }) => slug === job.provider);
  return byok.get(`${job.workspace_id}/${job.provider}`)?.find(({ id }) => id === job.byok_id)?.settings;
}

const isEnded = ({ status }: VideoState) => status !== "pending" && status !== "in_progress";

async function end(deps: RelayDeps, job: VideoJobRow, state: VideoState): Promise<null> {
  const asked = askedOf(job);
  const at = deps.domain.now();
  if (state.status !== "completed") {
    const why =
      state.error ?? `the provider says that it ${state.status === "failed" ? "failed" : `is ${state.status}`}`;
    const entry = entryOf(deps, job, {
      cost: 0n,
      seconds: null,
      meteredBy: "upstream",
      errorType: "provider_unavailable",
      why,
      at,
    });
    return await settle(deps, job, entry, { status: state.status, error: why, urls: [] });
  }
  // A longer video than was asked for is the provider's own doing.
  const seconds = Math.min(state.seconds ?? asked.seconds, asked.seconds);
  const cost = videoCost(job.pricing, { ...asked, seconds, size: asked.size ?? state.size });
  const meteredBy = state.seconds === null ? "gateway" : "upstream";
  const entry = entryOf(deps, job, { cost, seconds, meteredBy, errorType: null, why: null, at });
  return await settle(deps, job, entry, { status: "completed", error: null, urls: state.urls });
}

/** Whether the provider bills it is not known: it is charged at its most where a limit counts it, as any such call. */
async function endUnknown(
  deps: RelayDeps,
  job: VideoJobRow,
  why: string,
  status: "failed" | "expired" = "failed",
): Promise<null> {
  const asked = askedOf(job);
  const entry = entryOf(deps, job, {
    cost: job.limited ? videoCost(job.pricing, asked) : 0n,
    seconds: job.limited ? asked.seconds : null,
    meteredBy: "gateway",
    errorType: "timeout",
    why,
    at: deps.domain.now(),
  });
  return await settle(deps, job, entry, { status, error: why, urls: [] });
}

async function settle(
  deps: RelayDeps,
  job: VideoJobRow,
  entry: ReturnType<typeof entryOf>,
  ended: Omit<JobEnd, "cost" | "at">,
): Promise<null> {
  const { domain, ledger } = deps;
  const key: JobKey = job;
  const at = domain.now();
  const kept = { spendIds: job.spend_ids, amount: job.reserved };
  const charged = await ledger.settleKept(kept, entry, async (client, { own, byok }) => {
    await endJob(client, domain, key, { ...ended, cost: own + byok, at });
  });
  // It failed, and was charged, before its process was killed.
  if (charged === null && job.upstream_id === null) await dropJob(domain, key);
  return null;
}
