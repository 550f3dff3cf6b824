import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, errors } from "undici";
import { connectionMessage } from "../connection-message.ts";
import { NoRoom, type Room } from "../memory-budget.ts";
import { AddressRefused, isUnconnected } from "./dispatcher.ts";
import { joinInTurns, takeTurns } from "../turns.ts";
import { failure, isRefusal } from "./failure.ts";
import type { SentRequest, UpstreamFailure } from "./provider.ts";

/** The size of a socket's reads: a longer answer arrives in several pieces. */
export const onePiece = 65_536;

/** A call that returned no usable answer. */
export class CallFailed extends Error {
  readonly failure: UpstreamFailure;

  constructor(failed: UpstreamFailure) {
    super(failed.message);
    this.name = "CallFailed";
    this.failure = failed;
  }
}

/**
 * A request that this vendor's dialect cannot express: nothing was sent. Another vendor may be able to, so the next
 * candidate is tried.
 */
export function cannotCarry(message: string): CallFailed {
  return new CallFailed({
    ...failure("invalid_request", { message, code: "cannot_carry", sent: false }),
    retryable: true,
  });
}

export interface CallOptions {
  /** aborts the call; the abort's reason is thrown as it is */
  signal: AbortSignal;
  /** until the answer's first byte */
  headersTimeoutMs: number;
  /** between two pieces of the answer's body */
  bodyTimeoutMs: number;
  /** until all of it has arrived, however slowly it trickles, if it is collected; default: no bound */
  wholeTimeoutMs?: number;
}

export interface CallAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Dispatcher.ResponseData["body"];
  /** who sends it */
  readonly host: string;
  /** when collecting it is given up, by `performance.now()`; default: never */
  readonly endsMs?: number;
}

/** A request's parsed address. Vendors have few addresses, and each is used over and over. */
export function addressOf(url: string): Address {
  const known = addresses.get(url);
  if (known !== undefined) return known;
  const { origin, pathname, search, host } = new URL(url);
  const address = { origin, path: pathname + search, host };
  if (addresses.size >= mostAddresses) addresses.clear();
  addresses.set(url, address);
  return address;
}

interface Address {
  readonly origin: string;
  readonly path: string;
  readonly host: string;
}

const addresses = new Map<string, Address>();
const mostAddresses = 1_000;

/**
 * Sends one request and returns as soon as the answer's headers are there.
 * @throws CallFailed when nothing answered, the abort's reason when the signal fired
 */
export async function call(dispatcher: Dispatcher, request: SentRequest, options: CallOptions): Promise<CallAnswer> {
  const { origin, path, host } = addressOf(request.url);
  const endsMs = performance.now() + (options.wholeTimeoutMs ?? Number.POSITIVE_INFINITY);
  let informedMs: number | null = null;
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
      // Each 1xx restarts the time limit for the headers.
      onInfo: () => {
        informedMs ??= performance.now();
        if (performance.now() - informedMs < options.headersTimeoutMs) return;
        throw new CallFailed(failure("timeout", { message: `${host} did not answer in time` }));
      },
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body, host, endsMs };
  } catch (error) {
    options.signal.throwIfAborted();
    throw new CallFailed(readBreak(error, host));
  }
}

/**
 * Collects an answer's body.
 * @param room the budget that it takes its memory from; given back at once if it is too small, so that others find room
 * @throws NoRoom, CallFailed when it breaks off, stalls, takes too long as a whole, or is longer than `mostBytes`; the
 * rest is then not read
 */
export async function readBody(
  answer: CallAnswer,
  mostBytes: number,
  signal?: AbortSignal,
  room?: Room,
): Promise<Buffer> {
  return await collect(answer, mostBytes, { isCut: false, signal, room });
}

/**
 * Collects the beginning of an error's body: the status says enough, however long the body is.
 * @throws CallFailed when it breaks off or stalls before that
 */
export async function readBeginning(answer: CallAnswer, mostBytes: number, signal?: AbortSignal): Promise<Buffer> {
  return await collect(answer, mostBytes, { isCut: true, signal });
}

interface Collecting {
  /** what is longer is cut; otherwise it is a failure */
  readonly isCut: boolean;
  readonly signal: AbortSignal | undefined;
  readonly room?: Room | undefined;
}

async function collect(answer: CallAnswer, mostBytes: number, { isCut, signal, room }: Collecting): Promise<Buffer> {
  const announced = Number(answer.headers["content-length"] ?? 0);
  const tooLong = () =>
    new CallFailed(
      failure("bad_answer", { status: answer.status, message: `the answer is longer than ${mostBytes} bytes` }),
    );
  if (announced > mostBytes && !isCut) {
    // Destroying it emits an error event, which would end the process without a listener.
    answer.body.on("error", () => {}).destroy();
    throw tooLong();
  }
  // Its memory is used as the pieces come. Of a longer answer, pieces and whole would be held side by side.
  const whole = announced > onePiece && !isCut ? Buffer.allocUnsafeSlow(announced) : null;
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      size += piece.length;
      // Leaving the loop destroys the body, and with it the connection.
      if (size > mostBytes && !isCut) throw tooLong();
      refuseLate(answer);
      room?.take(piece.length);
      if (whole === null) pieces.push(piece);
      else piece.copy(whole, size - piece.length);
      if (size > mostBytes) break;
    }
  } catch (error) {
    if (error instanceof NoRoom) room?.giveBack();
    signal?.throwIfAborted();
    if (error instanceof CallFailed || error instanceof NoRoom) throw error;
    const broken = readBreak(error, answer.host, true);
    // Whatever arrived of an error is enough: it is an error.
    throw new CallFailed(isRefusal(answer.status) ? { ...broken, mayBill: false } : broken);
  }
  if (whole !== null) return whole.subarray(0, size);
  const [only] = pieces;
  const joined =
    pieces.length === 1 && only ? only : await joinInTurns(pieces, takeTurns(answer.host, { patient: true }));
  return joined.subarray(0, mostBytes);
}

/** @throws CallFailed when an answer that is being collected takes too long as a whole */
export function refuseLate({ status, endsMs = Number.POSITIVE_INFINITY }: CallAnswer): void {
  if (performance.now() < endsMs) return;
  throw new CallFailed(failure("timeout", { status, message: "the answer did not end in time" }));
}

/** Node's message for a connection that ended during the handshake. */
const insecure = /before secure TLS connection/;

/**
 * The meaning of a broken call's error. The address is named, credentials never are.
 * @param begun whether the answer's headers had come
 */
export function readBreak(error: unknown, host: string, begun = false): UpstreamFailure {
  if (error instanceof CallFailed) return error.failure;
  if (isUnconnected(error)) return { ...networkFailure(error, host, begun), mayBill: false, sent: false };
  return networkFailure(error, host, begun);
}

function networkFailure(error: unknown, host: string, begun: boolean): UpstreamFailure {
  if (error instanceof AddressRefused)
    return failure("connection", { message: error.message, code: "address_refused" });
  const code = codeOf(error);
  if (error instanceof errors.HeadersTimeoutError)
    return failure("timeout", { message: `${host} did not answer in time`, code });
  if (error instanceof errors.BodyTimeoutError)
    return failure("timeout", { message: `${host} stopped in the middle of its answer`, code });
  if (error instanceof errors.ConnectTimeoutError)
    return failure("timeout", { message: `${host} could not be connected to in time`, code });
  if ((code !== null && /CERT|TLS|SSL|SELF_SIGNED|ALTNAME|UNABLE_TO_/.test(code)) || insecure.test(String(error))) {
    const why = connectionMessage(code, host) ?? code;
    return failure("connection", { message: `no secure connection to ${host}${why === null ? "" : `: ${why}`}`, code });
  }
  const meaning = connectionMessage(code, host, begun);
  return failure("connection", {
    message: meaning ?? `the connection to ${host} failed${code === null ? "" : `: ${code}`}`,
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
