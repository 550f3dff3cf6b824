import type { Candidate } from "../domain/routing.ts";
import { CallFailed } from "../providers/call.ts";
import { callWhole } from "../providers/call-whole.ts";
import { failure } from "../providers/failure.ts";
import { inlineImages } from "../providers/images.ts";
import {
  BadAnswer,
  type EmbeddingItem,
  type EmbeddingsCall,
  type EmbeddingsDialect,
  type EncodingFormat,
  type HttpAdapter,
  type Upstream,
  type Usage,
} from "../providers/provider.ts";
import { adapters, toUpstream } from "../providers/registry.ts";
import { embedHere } from "./embed-here.ts";
import { cutItem } from "./estimate.ts";
import type { EmbeddingsRequest } from "./embeddings-request.ts";
import type { RelayParts } from "./parts.ts";
import { type PassedThrough, passThrough } from "./pass-through.ts";
import { checkVector, type Vector } from "./vectors.ts";

/** One answer of a vendor. */
export interface UpstreamVectors {
  /** null when the answer's own bytes are passed on, in `data` */
  readonly vectors: readonly Vector[] | null;
  /** the answer's own bytes, in the format asked for */
  readonly data: PassedThrough | null;
  readonly usage: Usage | null;
  readonly latencyMs: number | null;
}

/** Longest answer for one vector: 16,384 numbers of 26 characters each. */
const bytesPerVector = 16_384 * 26;
const bytesAround = 65_536;
const mostAnswerBytes = 512 * 1_048_576;

/**
 * Asks one candidate for the vectors of items that fit into one call.
 * @param positions of the items in the request. Where they are all of it, the answer's bytes may be passed on as they are
 * @throws CallFailed
 */
export async function embedAt(
  parts: RelayParts,
  candidate: Candidate,
  request: EmbeddingsRequest,
  items: readonly EmbeddingItem[],
  positions: readonly number[],
): Promise<UpstreamVectors> {
  const whole = items.length === request.items.length;
  const wanted: EmbeddingsCall = {
    model: candidate.model.upstreamId,
    items,
    ...(request.dimensions === null ? {} : { dimensions: request.dimensions }),
    ...(request.inputType === null ? {} : { inputType: request.inputType }),
    ...(request.user === null ? {} : { user: request.user }),
    truncate: request.truncate,
    extra: request.extra,
  };
  if (candidate.provider.kind === "builtin") return await embedHere(parts, wanted, positions);
  const adapter = adapters[candidate.provider.kind];
  if (!adapter?.embeddings) {
    throw new CallFailed(failure("not_found", { message: `${candidate.provider.kind} providers make no embeddings` }));
  }
  return await embedThere(parts, candidate, adapter, wanted, whole ? request.format : null);
}

async function embedThere(
  parts: RelayParts,
  candidate: Candidate,
  adapter: HttpAdapter,
  wanted: EmbeddingsCall,
  passFormat: EncodingFormat | null,
): Promise<UpstreamVectors> {
  const dialect = adapter.embeddings;
  if (dialect === null) throw new Error(`${adapter.kind} has no embeddings`);
  const upstream = toUpstream(candidate.provider);
  const images = !dialect.capabilities.imageUrls && wanted.items.some((item) => item.type === "block");
  const items = images ? await inlineImages(parts.callerDispatcher, wanted.items, unhurried) : wanted.items;
  const asked = { ...wanted, items };
  const known = dialect.format(upstream, passFormat ?? "base64");
  const format = refusedFormats.get(upstream) === known ? other(known) : known;
  const declared = candidate.model.dimensions;
  const exchange: Exchange = { parts, adapter, dialect, upstream, asked, passFormat, declared };
  try {
    return await embedCut(exchange, format, candidate.model.contextLength);
  } catch (error) {
    if (!refusesFormat(error)) throw error;
    refusedFormats.set(upstream, format);
    return await embedCut(exchange, other(format), candidate.model.contextLength);
  }
}

/** Shares of the context that long inputs are cut to, one after the other, by the gateway's own count of tokens. */
const cuts = [1, 0.7, 0.45, 0.25];

/**
 * Cuts where the caller wants it and the vendor's dialect has no word for it. The vendor counts in its own way, so what
 * it still finds too long is cut further; it charges for none of what it refuses.
 */
async function embedCut(exchange: Exchange, format: EncodingFormat, context: number | null): Promise<UpstreamVectors> {
  const { asked, dialect, upstream } = exchange;
  if (!asked.truncate || context === null || dialect.takes(upstream, "truncate"))
    return await embedIn(exchange, format);
  for (const share of cuts) {
    const items = asked.items.map((item) => cutItem(item, Math.floor(context * share)));
    try {
      return await embedIn({ ...exchange, asked: { ...asked, items } }, format);
    } catch (error) {
      const tooLong = error instanceof CallFailed && error.failure.reason === "context_length";
      if (!tooLong || share === cuts.at(-1)) throw error;
    }
  }
  throw new Error("the last cut is returned or thrown");
}

/** Embeddings are short, and paid for once they are asked: a caller who leaves does not cancel them. */
const unhurried = new AbortController().signal;

/** Formats that vendors turned out to refuse. Some take floats alone, some base64 alone, and few say so beforehand. */
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
 * Vectors of different lengths cannot be compared, and those of another length than was asked for fit nobody's index: a
 * vendor that leaves `dimensions` out of account has not answered.
 * @throws BadAnswer
 */
function refuseOtherDimensions(lengths: readonly number[], { asked, declared }: Exchange): void {
  const wanted = asked.dimensions ?? declared ?? lengths[0];
  const other = lengths.find((length) => length !== wanted);
  if (other === undefined) return;
  const why =
    asked.dimensions !== undefined
      ? "were asked for"
      : declared !== null
        ? "are declared for this model"
        : "the first one has";
  throw new BadAnswer(`the answer has a vector of ${other} numbers, where ${wanted} ${why}`);
}

interface Exchange {
  readonly parts: RelayParts;
  readonly adapter: HttpAdapter;
  readonly dialect: EmbeddingsDialect;
  readonly upstream: Upstream;
  readonly asked: EmbeddingsCall;
  readonly passFormat: EncodingFormat | null;
  /** the dimensions that the catalog has for the model; null: it says nothing */
  readonly declared: number | null;
}

async function embedIn(exchange: Exchange, format: EncodingFormat): Promise<UpstreamVectors> {
  const { parts, adapter, dialect, upstream, asked, passFormat } = exchange;
  const timeoutMs = parts.settings.upstreamTimeoutMs;
  const count = asked.items.length;
  const answer = await callWhole(parts.dispatcher, dialect.toRequest(upstream, asked, format), {
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    wholeTimeoutMs: timeoutMs * 5,
    mostBytes: Math.min(mostAnswerBytes, bytesAround + count * bytesPerVector),
  });
  const { body, latencyMs } = answer;
  if (answer.status !== 200) {
    throw new CallFailed(
      adapter.readFailure(upstream, { status: answer.status, headers: answer.headers, body: body.toString("utf8") }),
    );
  }
  try {
    if (dialect.capabilities.passThrough && passFormat === format) {
      const passed = passThrough(body, count, format);
      if (passed !== null) {
        refuseOtherDimensions([passed.dimensions], exchange);
        return { vectors: null, data: passed, usage: passed.usage, latencyMs };
      }
    }
    const { vectors, usage } = dialect.readAnswer(body.toString("utf8"), count);
    refuseOtherDimensions(
      vectors.map((vector) => checkVector(vector).length),
      exchange,
    );
    return { vectors, data: null, usage, latencyMs };
  } catch (error) {
    if (error instanceof BadAnswer)
      throw new CallFailed(failure("bad_answer", { status: 200, message: error.message }));
    throw error;
  }
}
