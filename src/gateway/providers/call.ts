import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, errors } from "undici";
import { AddressRefused } from "./dispatcher.ts";
import { failure } from "./failure.ts";
import type { UpstreamFailure, UpstreamRequest } from "./provider.ts";

/** A call that brought no usable answer. */
export class CallFailed extends Error {
  readonly failure: UpstreamFailure;

  constructor(failed: UpstreamFailure) {
    super(failed.message);
    this.name = "CallFailed";
    this.failure = failed;
  }
}

/**
 * A request that this vendor's dialect has no words for: nothing was sent. Another vendor may have them, so the next
 * candidate is tried.
 */
export function cannotCarry(message: string): CallFailed {
  return new CallFailed({ ...failure("invalid_request", { message, code: "cannot_carry" }), retryable: true });
}

export interface CallOptions {
  /** aborts the call; the abort's reason is thrown as it is */
  signal: AbortSignal;
  /** until the answer's first byte */
  headersTimeoutMs: number;
  /** between two pieces of the answer's body */
  bodyTimeoutMs: number;
}

export interface CallAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Dispatcher.ResponseData["body"];
}

/** Where a request goes, taken apart. Vendors have few addresses, and each is asked for over and over. */
export function placeOf(url: string): Place {
  const known = places.get(url);
  if (known !== undefined) return known;
  const { origin, pathname, search, host } = new URL(url);
  const place = { origin, path: pathname + search, host };
  if (places.size >= mostPlaces) places.clear();
  places.set(url, place);
  return place;
}

interface Place {
  readonly origin: string;
  readonly path: string;
  readonly host: string;
}

const places = new Map<string, Place>();
const mostPlaces = 1_000;

/**
 * Sends one request and returns as soon as the answer's headers are there.
 * @throws CallFailed when nothing answered, the abort's reason when the signal fired
 */
export async function call(
  dispatcher: Dispatcher,
  request: UpstreamRequest,
  options: CallOptions,
): Promise<CallAnswer> {
  const { origin, path, host } = placeOf(request.url);
  try {
    const answer = await dispatcher.request({
      origin,
      path,
      method: request.method,
      headers: request.headers,
      body: request.body,
      signal: options.signal,
      headersTimeout: options.headersTimeoutMs,
      bodyTimeout: options.bodyTimeoutMs,
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  } catch (error) {
    options.signal.throwIfAborted();
    throw new CallFailed(readBreak(error, host));
  }
}

/**
 * Collects an answer's body.
 * @throws CallFailed when it breaks off, stalls, or is longer than `mostBytes`; the rest is then not read
 */
export async function readBody(answer: CallAnswer, mostBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const announced = Number(answer.headers["content-length"] ?? 0);
  const tooLong = () =>
    new CallFailed(
      failure("bad_answer", { status: answer.status, message: `the answer is longer than ${mostBytes} bytes` }),
    );
  if (announced > mostBytes) {
    // Destroying tells it as an error event, which ends the process where nobody listens.
    answer.body.on("error", () => {}).destroy();
    throw tooLong();
  }
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      size += piece.length;
      // Leaving the loop destroys the body, and with it the connection.
      if (size > mostBytes) throw tooLong();
      pieces.push(piece);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof CallFailed ? error : new CallFailed(readBreak(error, "the provider"));
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, size);
}

/** What a broken call's error means. The address is named, credentials never are. */
export function readBreak(error: unknown, host: string): UpstreamFailure {
  if (error instanceof CallFailed) return error.failure;
  if (error instanceof AddressRefused)
    return failure("connection", { message: error.message, code: "address_refused" });
  const code = codeOf(error);
  if (error instanceof errors.HeadersTimeoutError)
    return failure("timeout", { message: `${host} did not answer in time`, code });
  if (error instanceof errors.BodyTimeoutError)
    return failure("timeout", { message: `${host} stopped in the middle of its answer`, code });
  if (error instanceof errors.ConnectTimeoutError)
    return failure("timeout", { message: `${host} could not be connected to in time`, code });
  if (code !== null && /CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code)) {
    return failure("connection", { message: `no secure connection to ${host}: ${code}`, code });
  }
  return failure("connection", {
    message: `the connection to ${host} failed${code === null ? "" : `: ${code}`}`,
    code,
  });
}

function codeOf(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
    if (at instanceof AggregateError && at.errors[0] instanceof Error) return codeOf(at.errors[0]);
  }
  return null;
}
