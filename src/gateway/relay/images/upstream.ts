import { mostImages } from "#contract/images.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { beforeAnswer, NoRoom, type Room } from "../../memory-budget.ts";
import { isObject, objectOf } from "../../providers/answer.ts";
import { CallFailed, readBody, readBreak, refuseLate } from "../../providers/call.ts";
import { failure } from "../../providers/failure.ts";
import { imageAddressProblem, imageBytes } from "../../providers/images.ts";
import { readDataUrl } from "../../providers/messages.ts";
import {
  BadAnswer,
  type HttpAdapter,
  type ImagesAnswer,
  type ImagesCall,
  type ImagesDialect,
  type ImagesEvent,
  type ImagesForm,
  type ImagesUsage,
  type MadeImage,
  type SentRequest,
  type Upstream,
} from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { readServerSentEvents } from "../../providers/sse.ts";
import { takeTurns } from "../../turns.ts";
import { isLongAnswer, readEventData } from "../answer-body.ts";
import { unhurried } from "../attempts.ts";
import { decodeBase64 } from "../decode-base64.ts";
import type { RelayDeps } from "../deps.ts";
import { fromFirst } from "../from-first.ts";
import { setAside, withLongStrings } from "../long-strings.ts";
import { askVendor, type BegunAnswer } from "../media/ask.ts";
import type { MediaRun } from "../media/run.ts";
import type { ModelCall } from "../model-call.ts";
import { sentForm } from "../sent-form.ts";
import { refusalIn } from "../useless-answer.ts";
import { readWholeAnswer } from "../whole-answer.ts";
import { callAt } from "./kind.ts";
import { mediaTypeOf } from "./media-type.ts";
import type { ImageRequest } from "./request.ts";

/** Of an answer, which is held as a whole: ten images of 4 MB. */
const mostAnswerBytes = 56 * 1_048_576;
const mostValues = 10_000;
/** Bodies up to this size are written in one go. */
const shortBody = 262_144;

/** An event, and how long its data was. */
export interface HeardEvent {
  readonly event: ImagesEvent;
  readonly size: number;
}

/** Images, or events that bring them, the first of which is there. */
export type MadeImages = Pick<BegunAnswer, "latencyMs" | "upstreamId"> &
  (
    | { readonly answer: ImagesAnswer; readonly events: null }
    | { readonly answer: null; readonly events: AsyncGenerator<HeardEvent, void, void> }
  );

/** Requests images from one candidate. @throws CallFailed, BadAnswer, NoRoom */
export async function askImages(
  deps: RelayDeps,
  candidate: Candidate,
  { request, context }: MediaRun<ImageRequest>,
  received: { usage: ImagesUsage | null },
): Promise<MadeImages> {
  received.usage = null;
  const { provider } = candidate;
  const adapter = adapters[provider.kind];
  const upstream = toUpstream(provider);
  const dialect = adapter?.images;
  if (adapter === undefined || !dialect?.takes(upstream)) {
    throw new CallFailed(failure("not_found", { message: `${provider.name} makes no images`, sent: false }));
  }
  const { credential, room } = context.call;
  const asked = { ...callAt(request, candidate), stream: request.stream && dialect.streams(upstream) };
  const sent = await toSend(deps, context.call, { dialect, upstream, asked });
  const begun = await askVendor(deps, candidate, { adapter, upstream, request: sent }, unhurried);
  const { headers, latencyMs, upstreamId } = begun;
  if (asked.stream && /^text\/event-stream\b/i.test(headers["content-type"] ?? "")) {
    const events = eventsOf(begun, { adapter, dialect, upstream, owner: credential.hash, room });
    const first = await events.next();
    if (first.done === true) throw new BadAnswer("the stream holds no image");
    return { answer: null, events: fromFirst(first.value, events), latencyMs, upstreamId };
  }
  const bytes = await readBody(begun, mostAnswerBytes, unhurried, room);
  // The strings in it, beside its bytes.
  if (isLongAnswer(bytes)) room.take(bytes.length);
  const read = await readWholeAnswer(
    { status: begun.status, headers, body: bytes, latencyMs },
    {
      adapter,
      upstream,
      owner: credential.hash,
      mostValues,
      readAnswer: dialect.readAnswer,
      readUsage: dialect.readUsage,
      received,
    },
  );
  received.usage = read.usage;
  return { answer: { ...read, images: await fetched(deps, room, read.images) }, events: null, latencyMs, upstreamId };
}

interface Asking {
  readonly dialect: ImagesDialect;
  readonly upstream: Upstream;
  readonly asked: ImagesCall;
}

/** The request, with the images to work from as the vendor takes them. @throws CallFailed, Refusal: nothing was sent */
async function toSend(deps: RelayDeps, call: ModelCall, { dialect, upstream, asked }: Asking): Promise<SentRequest> {
  try {
    const form = dialect.form(upstream, asked);
    if (form !== null) return await withFiles(deps, call, form, asked);
    const isInline = dialect.inlines(upstream);
    const all = isInline ? { ...asked, references: await inlined(deps, call, asked) } : asked;
    const aside = isInline || call.body.length > shortBody ? setAside(all) : null;
    return await withLongStrings(dialect.toRequest(upstream, aside?.value ?? all), aside, call.credential.hash);
  } catch (error) {
    throw beforeAnswer(error);
  }
}

/** Images to work from as data URLs, for vendors that fetch nothing. @throws CallFailed, NoRoom */
async function inlined(deps: RelayDeps, { room }: ModelCall, { references }: ImagesCall): Promise<readonly string[]> {
  const known = new Map<string, string>();
  for (const url of references) {
    if (known.has(url)) continue;
    if (readDataUrl(url) !== null) {
      known.set(url, url);
      continue;
    }
    const base64 = await fetchedAsBase64(deps, room, url);
    known.set(url, `data:${mediaTypeOf(base64) ?? "image/png"};base64,${base64}`);
  }
  return references.map((url) => known.get(url) ?? url);
}

async function fetchedAsBase64(deps: RelayDeps, room: Room, url: string): Promise<string> {
  const bytes = await imageBytes(deps.callerDispatcher, url, unhurried);
  room.take(Math.ceil(bytes.length / 3) * 4);
  return bytes.toString("base64");
}

async function withFiles(
  deps: RelayDeps,
  { credential, room }: ModelCall,
  form: ImagesForm,
  { references }: ImagesCall,
): Promise<SentRequest> {
  const turn = takeTurns(credential.hash);
  const files = [];
  const known = new Map<string, Buffer>();
  for (const [index, url] of references.entries()) {
    const inline = readDataUrl(url);
    const bytes =
      known.get(url) ??
      (inline === null
        ? await imageBytes(deps.callerDispatcher, url, unhurried)
        : await decodeBase64(url, `input_references.${index}.image_url.url`, room, turn));
    // Each file is held once more in the form.
    if (inline === null) room.take(bytes.length);
    known.set(url, bytes);
    const type = mediaTypeOf(bytes.toString("base64", 0, 24)) ?? inline?.mediaType ?? "image/png";
    const ending = /^image\/(png|jpeg|webp|gif)$/.exec(type)?.[1] ?? "png";
    files.push({ name: form.fileMember, filename: `image-${index}.${ending}`, type, bytes });
  }
  return sentForm(form, files);
}

/** The bytes of images that the vendor gives addresses of. @throws BadAnswer */
async function fetched(deps: RelayDeps, room: Room, images: readonly MadeImage[]): Promise<readonly MadeImage[]> {
  const addresses = images.filter(({ url }) => url !== null).length;
  if (addresses > mostImages) throw new BadAnswer(`the answer has the addresses of ${addresses} images`);
  const whole: MadeImage[] = [];
  for (const image of images) {
    const { url } = image;
    if (url === null) {
      whole.push(image);
      continue;
    }
    const problem = imageAddressProblem(url, deps.callerAddress);
    if (problem !== null) throw new BadAnswer(`the answer has an image whose address ${problem}`);
    const base64 = await fetchedAsBase64(deps, room, url).catch((error: unknown) => {
      throw error instanceof CallFailed ? new BadAnswer(error.message) : error;
    });
    whole.push({ ...image, url: null, base64 });
  }
  return whole;
}

export interface Hearing {
  readonly adapter: HttpAdapter;
  readonly dialect: ImagesDialect;
  readonly upstream: Upstream;
  readonly owner: string;
  readonly room: Room;
}

/** @throws CallFailed, BadAnswer, NoRoom */
export async function* eventsOf(
  answer: BegunAnswer,
  { adapter, dialect, upstream, owner, room }: Hearing,
): AsyncGenerator<HeardEvent, void, void> {
  const turn = takeTurns(owner, { patient: true });
  try {
    for await (const { data } of readServerSentEvents(inTime(answer), turn, room)) {
      if (data === "[DONE]") return;
      const body = await readEventData(upstream, data, turn);
      const object = objectOf(body);
      if (object["type"] === "error" || isObject(object["error"])) {
        const refusal = refusalIn({ adapter, upstream, headers: answer.headers, body });
        throw refusal === null ? new BadAnswer("the stream reports an error") : new CallFailed(refusal);
      }
      const event = dialect.readEvent(object);
      if (event !== null) yield { event, size: data.length };
    }
  } catch (error) {
    if (error instanceof NoRoom || error instanceof BadAnswer || error instanceof CallFailed) throw error;
    if (error instanceof RangeError) throw new BadAnswer(error.message);
    throw new CallFailed(readBreak(error, answer.host, true));
  } finally {
    answer.body.destroy();
  }
}

/** An answer's pieces, of whatever they are: comments keep a connection alive for ever. @throws CallFailed */
async function* inTime(answer: BegunAnswer): AsyncGenerator<Uint8Array, void, void> {
  for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
    refuseLate(answer);
    yield piece;
  }
}
