import { Readable } from "node:stream";
import { findJob, urlsOf, type VideoJobRow } from "../../domain/calls/video-jobs.ts";
import { notFound, Refusal } from "../../domain/refusal.ts";
import { call, type CallAnswer, CallFailed } from "../../providers/call.ts";
import { imageAddressProblem } from "../../providers/images.ts";
import type { SentRequest } from "../../providers/provider.ts";
import { unhurried } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import type { AskedContent, ModelAnswer } from "../model-call.ts";
import { upstreamRefusal } from "../upstream-refusal.ts";
import { watched } from "../watched.ts";
import { isValidToken } from "./answer.ts";
import { vendorOf } from "./poll.ts";
import type { VideoVendor } from "./vendor.ts";

/** Storage services redirect once or twice. */
const mostRedirects = 3;
/** No vendor makes a video of this size; an answer without an end is cut off here. */
const mostBytes = 8 * 1_073_741_824;

/** Passes a finished video on, piece by piece. @throws Refusal */
export async function videoContent(deps: RelayDeps, { id, index, by, range }: AskedContent): Promise<ModelAnswer> {
  const { domain } = deps;
  if ("token" in by && !isValidToken(domain, by.token, id, index))
    throw new Refusal(
      "authentication",
      "The token of this address has expired or is not for it: ask for the job again",
    );
  const job = await findJob(domain, id, "credential" in by ? by.credential.spendId : null);
  const url = urlOf(deps, job, index);
  const vendor = vendorOf(deps, job);
  if (vendor === null) throw gone("its provider is no longer set up here as it was");
  const answer = await fetchVideo(deps, vendor, { url, range }).catch((error: unknown) => {
    if (!(error instanceof CallFailed)) throw error;
    throw upstreamRefusal([{ provider: job.provider, failure: error.failure }], [], []);
  });
  return passedOn(deps, answer, job);
}

/** @throws Refusal not_found, conflict, gone */
function urlOf({ domain }: RelayDeps, job: VideoJobRow, index: number): string {
  if (job.status !== "completed") {
    const why = job.ended_at === null ? "is not finished yet" : `has no video: it ${job.status}`;
    throw new Refusal("conflict", `The job ${why}${job.error === null ? "" : `, ${job.error}`}`);
  }
  const urls = urlsOf(domain, job);
  if (urls === null) throw gone("its address was encrypted with a secret key that is not known here");
  const url = urls[index];
  if (url === undefined) throw notFound(`The job has no video ${index}`);
  return url;
}

/** Any other is ignored, as a server may: several ranges come as a form and not as a video (RFC 9110, 14.2). */
const oneRange = /^bytes=(\d+-\d*|-\d+)$/;

const gone = (why: string) => new Refusal("gone", `The video can no longer be fetched: ${why}`);

interface Wanted {
  readonly url: string;
  readonly range: string | null;
}

/** The vendor's key goes to the vendor's own address alone. @throws CallFailed, Refusal */
async function fetchVideo(
  deps: RelayDeps,
  { upstream, dialect }: VideoVendor,
  { url: first, range }: Wanted,
): Promise<CallAnswer> {
  const { upstreamTimeoutMs } = deps.settings;
  const { headers } = dialect.toPoll(upstream, "job");
  const origin = new URL(upstream.baseUrl).origin;
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const isOwn = URL.canParse(url) && new URL(url).origin === origin;
    const problem = isOwn ? null : imageAddressProblem(url, deps.callerAddress);
    if (problem !== null) throw new Refusal("provider_unavailable", `The provider's address of the video ${problem}`);
    const { "content-type": _, ...own } = headers as Record<string, string>;
    const request: SentRequest = {
      method: "GET",
      url,
      headers: { ...(isOwn && own), accept: "video/*, */*", ...(range !== null && oneRange.test(range) && { range }) },
      body: null,
    };
    const answer = await call(isOwn ? deps.dispatcher : deps.callerDispatcher, request, {
      signal: unhurried,
      headersTimeoutMs: upstreamTimeoutMs,
      bodyTimeoutMs: upstreamTimeoutMs,
    });
    const { status } = answer;
    if (status === 200 || status === 206) return answer;
    // Destroying it emits an error event, which would end the process without a listener.
    answer.body.on("error", () => {}).destroy();
    const { location } = answer.headers;
    if (status >= 300 && status < 400 && typeof location === "string" && redirects < mostRedirects) {
      if (!URL.canParse(location, url)) throw new Refusal("provider_unavailable", "The provider redirects to nowhere");
      url = new URL(location, url).href;
      continue;
    }
    if (status === 404 || status === 410 || (status === 403 && !isOwn))
      throw gone(`the provider answers ${status}, as it does once it has deleted a video`);
    if (status === 416) throw new Refusal("invalid_request", "The range is not within the video");
    throw new Refusal("provider_unavailable", `The provider of the video answers ${status}`);
  }
}

function passedOn(deps: RelayDeps, answer: CallAnswer, job: VideoJobRow): ModelAnswer {
  const { headers, status } = answer;
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const isVideo = /^video\/[\w.+-]+$/.test(type.trim());
  if (!isVideo && !/^((application|binary)\/octet-stream|)$/.test(type.trim())) {
    answer.body.on("error", () => {}).destroy();
    throw new Refusal("provider_unavailable", "The provider's answer is not a video");
  }
  const body: Readable = Readable.from(
    watched(pieces(answer), deps.settings.upstreamTimeoutMs, () => body.destroy()),
    { objectMode: false, highWaterMark: 65_536 },
  );
  body.once("close", () => answer.body.on("error", () => {}).destroy());
  const passed = ["content-length", "content-range", "accept-ranges"] as const;
  return {
    status,
    headers: {
      "content-type": isVideo ? type.trim() : "video/mp4",
      "cache-control": "private, no-store",
      "content-disposition": `inline; filename="${job.id}.mp4"`,
      ...Object.fromEntries(passed.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))),
    },
    body,
  };
}

async function* pieces(answer: CallAnswer): AsyncGenerator<Buffer, void, void> {
  let size = 0;
  for await (const piece of answer.body as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > mostBytes) throw new Error("the provider's video has no end");
    yield piece;
  }
}
