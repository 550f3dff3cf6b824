import type { Candidate } from "../../domain/routing/routing.ts";
import { beforeAnswer } from "../../memory-budget.ts";
import { readText } from "../../providers/answer.ts";
import { call, CallFailed, readBeginning, readBody } from "../../providers/call.ts";
import { failure } from "../../providers/failure.ts";
import { imageBytes } from "../../providers/images.ts";
import { readDataUrl } from "../../providers/messages.ts";
import type { HttpAdapter, SentRequest, Upstream, VideoCall, VideosDialect } from "../../providers/provider.ts";
import { vendorText, withoutKey } from "../../providers/redact.ts";
import { adapters, toUpstream, type UpstreamSettings } from "../../providers/registry.ts";
import { takeTurns } from "../../turns.ts";
import { unhurried } from "../attempts.ts";
import { decodeBase64 } from "../decode-base64.ts";
import type { RelayDeps } from "../deps.ts";
import { mediaTypeOf } from "../images/media-type.ts";
import { setAside, withLongStrings } from "../long-strings.ts";
import type { ModelCall } from "../model-call.ts";
import { sentForm } from "../sent-form.ts";
import { refusalIn } from "../useless-answer.ts";
import { mostErrorBytes } from "../whole-answer.ts";
import { callAt } from "./kind.ts";
import type { VideoRequest } from "./request.ts";

/** Of what a vendor says of a job, which names it and where its videos are. */
const mostAnswerBytes = 1_048_576;

/** How to speak to a provider of videos. */
export interface VideoVendor {
  readonly adapter: HttpAdapter;
  readonly upstream: Upstream;
  readonly dialect: VideosDialect;
}

/** Null: it makes no videos. */
export function videoVendorOf(provider: UpstreamSettings): VideoVendor | null {
  const adapter = adapters[provider.kind];
  const upstream = toUpstream(provider);
  const dialect = adapter?.videos;
  return adapter === undefined || !dialect?.takes(upstream) ? null : { adapter, upstream, dialect };
}

/** A job that a vendor has accepted. */
export interface AcceptedVideo {
  /** the vendor's name of it */
  readonly job: string;
  readonly latencyMs: number;
  readonly upstreamId: string | null;
}

/** Has one candidate begin a video. @throws CallFailed, BadAnswer, NoRoom, Refusal */
export async function submitVideo(
  deps: RelayDeps,
  candidate: Candidate,
  request: VideoRequest,
  caller: ModelCall,
): Promise<AcceptedVideo> {
  const vendor = videoVendorOf(candidate.provider);
  if (vendor === null) {
    const message = `${candidate.provider.name} makes no videos`;
    throw new CallFailed(failure("not_found", { message, sent: false }));
  }
  const sent = await toSend(deps, caller, vendor, callAt(request, candidate));
  const { text, latencyMs, upstreamId } = await askVendor(deps, vendor, sent);
  return { job: vendor.dialect.readJob(vendor.upstream, text), latencyMs, upstreamId };
}

/** The text of a vendor's answer. @throws CallFailed */
export async function askVendor(
  deps: RelayDeps,
  { adapter, upstream }: VideoVendor,
  request: SentRequest,
  timeoutMs: number = deps.settings.upstreamTimeoutMs,
): Promise<{ text: string; latencyMs: number; upstreamId: string | null }> {
  const startedMs = performance.now();
  const answer = await call(deps.dispatcher, request, {
    signal: unhurried,
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    wholeTimeoutMs: timeoutMs * 2,
  });
  const { status, headers } = answer;
  const latencyMs = performance.now() - startedMs;
  // The public API accepts a job with 202.
  if (status < 200 || status > 299) {
    const body = await readBeginning(answer, mostErrorBytes);
    throw new CallFailed(adapter.readFailure(upstream, { status, headers, body: vendorText(upstream, body) }));
  }
  const text = vendorText(upstream, await readBody(answer, mostAnswerBytes));
  const id = readText(headers["request-id"]) ?? readText(headers["x-request-id"]);
  return { text, latencyMs, upstreamId: id === null ? null : withoutKey(upstream, id) };
}

/** The error in place of a job; null: there is none. */
export const refusalOfJob = ({ adapter, upstream }: VideoVendor, body: string) =>
  refusalIn({ adapter, upstream, headers: {}, body });

/** The request, with the images to work from as the vendor takes them. @throws CallFailed, Refusal: nothing was sent */
async function toSend(
  deps: RelayDeps,
  caller: ModelCall,
  { dialect, upstream }: VideoVendor,
  asked: VideoCall,
): Promise<SentRequest> {
  try {
    const form = dialect.form(upstream, asked);
    const urls = [...asked.frames.map(({ url }) => url), ...asked.references];
    if (form !== null) {
      const files = [];
      const known = new Map<string, Awaited<ReturnType<typeof fileOf>>>();
      for (const [index, url] of urls.entries()) {
        const { bytes, type } = known.get(url) ?? (await fileOf(deps, caller, url, index));
        known.set(url, { bytes, type });
        files.push({ name: form.fileMember, filename: `image-${index}.${type.slice("image/".length)}`, type, bytes });
      }
      return sentForm(form, files);
    }
    const whole = dialect.inlines(upstream) ? await inlined(deps, caller, asked) : asked;
    const aside = setAside(whole);
    return await withLongStrings(dialect.toRequest(upstream, aside.value), aside, caller.credential.hash);
  } catch (error) {
    throw beforeAnswer(error);
  }
}

async function inlined(deps: RelayDeps, caller: ModelCall, asked: VideoCall): Promise<VideoCall> {
  const known = new Map<string, string>();
  const inline = async (url: string) => {
    if (readDataUrl(url) !== null) return url;
    const found = known.get(url) ?? (await fetchedAsDataUrl(deps, caller, url));
    known.set(url, found);
    return found;
  };
  const frames = [];
  for (const frame of asked.frames) frames.push({ ...frame, url: await inline(frame.url) });
  const references = [];
  for (const url of asked.references) references.push(await inline(url));
  return { ...asked, frames, references };
}

async function fetchedAsDataUrl(deps: RelayDeps, { room }: ModelCall, url: string): Promise<string> {
  const bytes = await imageBytes(deps.callerDispatcher, url, unhurried);
  room.take(Math.ceil(bytes.length / 3) * 4);
  return `data:${typeOf(bytes, null)};base64,${bytes.toString("base64")}`;
}

async function fileOf(deps: RelayDeps, { credential, room }: ModelCall, url: string, index: number) {
  const inline = readDataUrl(url);
  if (inline === null) {
    const bytes = await imageBytes(deps.callerDispatcher, url, unhurried);
    room.take(bytes.length);
    return { bytes, type: typeOf(bytes, null) };
  }
  const bytes = await decodeBase64(url, `image ${index}`, room, takeTurns(credential.hash));
  return { bytes, type: typeOf(bytes, inline.mediaType) };
}

/** One of the formats that vendors take; what is none of them is left to the vendor to refuse. */
function typeOf(bytes: Buffer, said: string | null): string {
  const type = mediaTypeOf(bytes.toString("base64", 0, 24)) ?? said ?? "";
  return /^image\/(png|jpeg|webp|gif)$/.test(type) ? type : "image/png";
}
