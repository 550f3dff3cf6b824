import type { Candidate } from "../../domain/routing/routing.ts";
import { CallFailed } from "../../providers/call.ts";
import { callWhole } from "../../providers/call-whole.ts";
import { failure } from "../../providers/failure.ts";
import { inlineImages } from "../../providers/images.ts";
import {
  type AnswerBody,
  BadAnswer,
  type EmbeddingItem,
  type EmbeddingsCall,
  type EmbeddingsDialect,
  type EncodingFormat,
  type HttpAdapter,
  type Upstream,
  type UpstreamFailure,
  type Usage,
} from "../../providers/provider.ts";
import { holdsKey, vendorText, withoutKey } from "../../providers/redact.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { readRatesLeft } from "../../providers/rate-headers.ts";
import { refusesBatch } from "./batches.ts";
import { embedLocally } from "./local.ts";
import { cutItem, isSemantic } from "./estimate.ts";
import { inputFormOf, withPrefix } from "./input-type.ts";
import { embedMeaning } from "./semantic.ts";
import type { EmbeddingsRun } from "./run.ts";
import { beforeAnswer, type Room } from "../../memory-budget.ts";
import { forEachInTurns, takeTurns, type Turn } from "../../turns.ts";
import { unhurried } from "../attempts.ts";
import { readAnswerBody } from "../answer-body.ts";
import { longString, setAside, withLongStrings } from "../long-strings.ts";
import { type RelayDeps, timeoutOf } from "../deps.ts";
import { countIn, refusalIn } from "../useless-answer.ts";
import type { Ticket } from "./pacer.ts";
import type { Part, UpstreamVectors } from "./part.ts";
import { passThrough } from "./pass-through.ts";
import { answeredId, spaceOf, type VectorSpace } from "./vector-space.ts";
import { checkVector } from "./vectors.ts";

/** The longest answer for one vector: 16,384 numbers of 26 characters each. */
const bytesPerVector = 16_384 * 26;
const bytesAround = 65_536;
const valuesPerVector = 16_384 + 16;
const valuesAround = 1_000;
const mostAnswerBytes = 512 * 1_048_576;
/** Of an error answer; what comes after it is not read. */
const mostErrorBytes = 65_536;

/** One batch on its way to a provider. */
interface Exchange {
  readonly deps: RelayDeps;
  readonly candidate: Candidate;
  readonly adapter: HttpAdapter;
  readonly dialect: EmbeddingsDialect;
  readonly upstream: Upstream;
  readonly asked: EmbeddingsCall;
  readonly space: VectorSpace;
  readonly requiredSpace: string | null;
  /** the declared length does not matter: the call's maker looks at the vectors itself */
  readonly anyLength: boolean;
  /** the format in which the answer's bytes may be passed on; null: they are only a part of the answer */
  readonly passFormat: EncodingFormat | null;
  readonly turn: Turn;
  readonly room: Room;
  readonly ticket: Ticket;
}

/**
 * Requests the vectors of one batch from one candidate.
 * @throws CallFailed; NoRoom
 */
export async function tryCandidate(
  deps: RelayDeps,
  run: EmbeddingsRun,
  part: Part,
  ticket: Ticket,
): Promise<UpstreamVectors> {
  const { candidate, request } = part;
  const { provider, model } = candidate;
  const { turn } = run;
  const { inputType, prefix } = inputFormOf(model, request);
  const wanted: EmbeddingsCall = {
    model: model.upstreamId,
    items: withPrefix(part.items, prefix),
    ...(request.dimensions === null ? {} : { dimensions: request.dimensions }),
    ...(inputType === null ? {} : { inputType }),
    ...(request.user === null ? {} : { user: request.user }),
    truncate: request.truncate,
    extra: request.extra,
  };
  const space = spaceOf(candidate, request);
  const { requiredSpace } = request;
  if (provider.kind === "builtin") {
    const answer = isSemantic(candidate)
      ? await embedMeaning(deps, run, part)
      : await embedLocally(deps, wanted, part.positions, turn);
    const answered = { length: answer.vectors[0]?.length ?? 0, model: null, usage: answer.usage };
    return { ...answer, data: null, model: null, space: refuseOtherSpace(answered, { space, requiredSpace }) };
  }
  const adapter = adapters[provider.kind];
  if (!adapter?.embeddings) {
    throw new CallFailed(
      failure("not_found", { message: `${provider.kind} providers make no embeddings`, sent: false }),
    );
  }
  const dialect = adapter.embeddings;
  const whole = part.items.length === request.items.length;
  return await embedOverHttp({
    deps,
    candidate,
    adapter,
    dialect,
    upstream: toUpstream(provider),
    asked: wanted,
    space,
    requiredSpace,
    anyLength: run.context.call.judge !== undefined,
    passFormat: whole ? request.format : null,
    turn,
    room: run.context.call.room,
    ticket,
  });
}

/** Requests the format that the vendor is known to accept, and the other one if it is refused. */
async function embedOverHttp(exchange: Exchange): Promise<UpstreamVectors> {
  const { deps, dialect, upstream, passFormat } = exchange;
  let { asked } = exchange;
  if (!dialect.capabilities.imageUrls && asked.items.some((item) => item.type === "block")) {
    const fetching = { signal: unhurried, room: exchange.room };
    const inlined = inlineImages(deps.callerDispatcher, asked.items, fetching);
    asked = { ...asked, items: await inlined.catch((error: unknown) => Promise.reject(beforeAnswer(error))) };
  }
  const known = dialect.format(upstream, passFormat ?? "base64");
  const format = refusedFormats.get(upstream) === known ? other(known) : known;
  try {
    return await withTruncation({ ...exchange, asked }, format);
  } catch (error) {
    if (!refusesFormat(error)) throw error;
    refusedFormats.set(upstream, format);
    return await withTruncation({ ...exchange, asked }, other(format));
  }
}

/** Fractions of the context that long inputs are cut to, one after another, by the gateway's own token count. */
const cuts = [1, 0.7, 0.45, 0.25];

/**
 * Cuts inputs if the caller wants it and the vendor's dialect cannot express it. The vendor counts differently, so what
 * it still refuses as too long is cut further; a refusal costs nothing.
 */
async function withTruncation(exchange: Exchange, format: EncodingFormat): Promise<UpstreamVectors> {
  const { asked, candidate, dialect, upstream } = exchange;
  const context = candidate.model.contextLength;
  if (!asked.truncate || context === null || dialect.takes(upstream, "truncate"))
    return await requestVectors(exchange, format);
  for (const share of cuts) {
    const items = asked.items.map((item) => cutItem(item, Math.floor(context * share)));
    try {
      return await requestVectors({ ...exchange, asked: { ...asked, items } }, format);
    } catch (error) {
      const tooLong =
        error instanceof CallFailed && error.failure.reason === "context_length" && !refusesBatch(error.failure);
      if (!tooLong || share === cuts.at(-1)) throw error;
    }
  }
  throw new Error("the last cut is returned or thrown");
}

/** Formats that vendors turned out to refuse. Some accept only floats, some only base64, and few say so beforehand. */
const refusedFormats = new WeakMap<Upstream, EncodingFormat>();

function other(format: EncodingFormat): EncodingFormat {
  return format === "float" ? "base64" : "float";
}

function refusesFormat(error: unknown): boolean {
  return (
    error instanceof CallFailed &&
    error.failure.reason === "invalid_request" &&
    error.failure.status !== null &&
    /encoding_format|base64/i.test(error.failure.message)
  );
}

/**
 * Vectors of different lengths cannot be compared, and vectors of an unrequested length fit no index: a vendor that
 * ignores `dimensions` has not answered.
 * @throws BilledInVain where the caller asked for them; BadAnswer
 */
function refuseOtherDimensions(lengths: readonly number[], usage: Usage | null, exchange: Exchange): void {
  const { asked, candidate } = exchange;
  const declared = exchange.anyLength ? null : candidate.model.dimensions;
  const wanted = asked.dimensions ?? declared ?? lengths[0];
  const other = lengths.find((length) => length !== wanted);
  if (other === undefined) return;
  const why =
    asked.dimensions !== undefined
      ? "were asked for"
      : declared !== null
        ? "are declared for this model"
        : "the first one has";
  const message = `the answer has a vector of ${other} numbers, where ${wanted} ${why}`;
  if (asked.dimensions === undefined) throw new BadAnswer(message);
  throw new BilledInVain(failure("bad_answer", { status: 200, message }), usage, "caller");
}

/** What an answer shows of its vectors' space. */
interface AnsweredSpace {
  readonly length: number;
  /** the vendor's own name of the model; null: it does not say */
  readonly model: string | null;
  readonly usage: Usage | null;
}

/** The id of an answer's space. @throws BilledInVain where it is not the one that the caller requires */
function refuseOtherSpace(
  { length, model, usage }: AnsweredSpace,
  { space, requiredSpace }: Pick<Exchange, "space" | "requiredSpace">,
): string {
  const id = answeredId(space, length, model);
  if (requiredSpace === null || id === requiredSpace) return id;
  const message = `the answer's vectors are of the space ${id}, where ${requiredSpace} is required`;
  throw new BilledInVain(failure("bad_answer", { status: 200, message }), usage, "caller");
}

/** An unusable answer that the vendor has worked on and bills. */
export class BilledInVain extends CallFailed {
  readonly usage: Usage | null;
  /** the cause: the caller, who asked for what the vendor ignores, or the vendor */
  readonly by: "caller" | "vendor";

  constructor(failed: UpstreamFailure, usage: Usage | null, by: "caller" | "vendor") {
    super(failed);
    this.usage = usage;
    this.by = by;
  }
}

function nullIfBad(error: unknown): null {
  if (error instanceof BadAnswer) return null;
  throw error;
}

function failed(failure: UpstreamFailure, usage: Usage | null): CallFailed {
  return usage === null ? new CallFailed(failure) : new BilledInVain(failure, usage, "vendor");
}

/** Whether an input contains a string that takes long to write. */
function isLong(item: EmbeddingItem): boolean {
  if (item.type !== "block") return item.type === "text" && item.text.length > longString;
  return item.parts.some((part) => (part.type === "text" ? part.text : part.image_url.url).length > longString);
}

async function requestVectors(exchange: Exchange, format: EncodingFormat): Promise<UpstreamVectors> {
  const { deps, adapter, dialect, upstream, asked, passFormat } = exchange;
  const timeoutMs = timeoutOf(deps, exchange.candidate.provider);
  const count = asked.items.length;
  const aside = asked.items.some(isLong) ? setAside(asked) : null;
  const written = dialect.toRequest(upstream, aside?.value ?? asked, format);
  const answer = await callWhole(deps.dispatcher, await withLongStrings(written, aside, exchange.turn.owner), {
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    wholeTimeoutMs: timeoutMs * 5,
    mostBytes: Math.min(mostAnswerBytes, bytesAround + count * bytesPerVector),
    mostErrorBytes,
    room: exchange.room,
  });
  const { status, headers, body, latencyMs } = answer;
  exchange.ticket.answered(readRatesLeft(headers));
  const turn = takeTurns(exchange.turn.owner, { patient: true });
  const readJson = () => readAnswerBody(upstream, body, turn, valuesAround + count * valuesPerVector);
  if (status !== 200) {
    const text = vendorText(upstream, body.subarray(0, mostErrorBytes));
    const usage = status < 300 ? await readJson().then((json) => countIn({ dialect, body: json }), nullIfBad) : null;
    throw failed(adapter.readFailure(upstream, { status, headers, body: text }), usage);
  }
  let read: AnswerBody | null = null;
  let usage: Usage | null = null;
  try {
    if (dialect.capabilities.passThrough && passFormat === format && !holdsKey(upstream, body)) {
      const passed = passThrough(body, count, format, (text) => withoutKey(upstream, text) === text);
      if (passed !== null) {
        ({ usage } = passed);
        refuseOtherDimensions([passed.dimensions], usage, exchange);
        const answered = { length: passed.dimensions, model: passed.model, usage };
        const { model } = passed;
        return { vectors: null, data: passed, usage, latencyMs, model, space: refuseOtherSpace(answered, exchange) };
      }
    }
    read = await readJson();
    const answered = dialect.readAnswer(read, count);
    ({ usage } = answered);
    const lengths: number[] = [];
    await forEachInTurns(answered.vectors, turn, (vector) => lengths.push(checkVector(vector).length));
    refuseOtherDimensions(lengths, usage, exchange);
    const space = refuseOtherSpace({ length: lengths[0] ?? 0, model: answered.model, usage }, exchange);
    return { vectors: answered.vectors, data: null, usage, latencyMs, model: answered.model, space };
  } catch (error) {
    if (!(error instanceof BadAnswer)) throw error;
    const useless = read === null ? null : { adapter, dialect, upstream, headers, body: read };
    const refusal = useless && refusalIn(useless);
    throw failed(
      refusal ?? failure("bad_answer", { status: 200, message: error.message }),
      usage ?? (useless && countIn(useless)),
    );
  }
}
