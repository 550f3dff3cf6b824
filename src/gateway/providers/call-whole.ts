import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { CallFailed, placeOf, readBreak } from "./call.ts";
import { failure } from "./failure.ts";
import type { UpstreamRequest } from "./provider.ts";

export interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** until the answer's headers, milliseconds */
  readonly latencyMs: number;
}

export interface WholeOptions {
  headersTimeoutMs: number;
  bodyTimeoutMs: number;
  /** until all of it is there, however steadily it dribbles */
  wholeTimeoutMs: number;
  /** a longer answer is a failure; the rest is not read */
  mostBytes: number;
}

/** What a socket is read in: an answer that is longer comes in several pieces, and is put together as they come. */
const onePiece = 65_536;

/**
 * Sends one request and collects its answer, as bytes and without a stream in between, which would cost more than all
 * else that the relay does with it.
 * @throws CallFailed when nothing answered, when it broke off, stalled, or was too long
 */
export function callWhole(
  dispatcher: Dispatcher,
  request: UpstreamRequest,
  options: WholeOptions,
): Promise<WholeAnswer> {
  const { origin, path, host } = placeOf(request.url);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let latencyMs = 0;
    let pieces: Buffer[] = [];
    let whole: Buffer | null = null;
    let size = 0;
    let deadline: NodeJS.Timeout | undefined;
    const refuseBeyond = (bytes: number) => {
      if (bytes <= options.mostBytes) return null;
      return new CallFailed(
        failure("bad_answer", { status, message: `the answer is longer than ${options.mostBytes} bytes` }),
      );
    };
    dispatcher.dispatch(
      {
        origin,
        path,
        method: request.method,
        headers: request.headers,
        body: request.body,
        headersTimeout: options.headersTimeoutMs,
        bodyTimeout: options.bodyTimeoutMs,
      },
      {
        onRequestStart(controller) {
          deadline ??= setTimeout(() => {
            const message = `${host} did not finish its answer in time`;
            controller.abort(new CallFailed(failure("timeout", { status: status || null, message })));
          }, options.wholeTimeoutMs);
        },
        onResponseStart(controller, statusCode, given) {
          if (statusCode < 200) return;
          status = statusCode;
          headers = given;
          latencyMs = performance.now() - started;
          const announced = Number(given["content-length"] ?? 0);
          const refused = refuseBeyond(announced);
          if (refused !== null) controller.abort(refused);
          else if (announced > onePiece) whole = Buffer.allocUnsafeSlow(announced);
        },
        onResponseData(controller, piece) {
          const refused = refuseBeyond(size + piece.length);
          if (refused !== null) controller.abort(refused);
          else if (whole === null) pieces.push(piece);
          else piece.copy(whole, size);
          size += piece.length;
        },
        onResponseEnd() {
          clearTimeout(deadline);
          const [only] = pieces;
          const joined = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
          resolve({ status, headers, body: whole?.subarray(0, size) ?? joined, latencyMs });
        },
        onResponseError(_, error) {
          clearTimeout(deadline);
          pieces = [];
          whole = null;
          reject(error instanceof CallFailed ? error : new CallFailed(readBreak(error, host)));
        },
      },
    );
  });
}
