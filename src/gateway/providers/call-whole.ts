import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { NoRoom, type Room } from "../memory-budget.ts";
import { joinInTurns, takeTurns } from "../turns.ts";
import { CallFailed, onePiece, addressOf, readBreak } from "./call.ts";
import { failure, isRefusal } from "./failure.ts";
import type { SentRequest } from "./provider.ts";

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
  /** until all of it has arrived, however slowly it trickles */
  wholeTimeoutMs: number;
  /** a longer answer is a failure; the rest is not read */
  mostBytes: number;
  /** a longer error is cut */
  mostErrorBytes: number;
  /** the budget that it takes its memory from */
  room: Room;
}

/**
 * Sends one request and collects its answer, as bytes and without an intermediate stream, which would cost more than
 * everything else that the relay does with it.
 * @throws NoRoom; CallFailed when nothing answered, or when the answer broke off, stalled, or was too long
 */
export function callWhole(dispatcher: Dispatcher, request: SentRequest, options: WholeOptions): Promise<WholeAnswer> {
  const { origin, path, host } = addressOf(request.url);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let latencyMs = 0;
    let pieces: Buffer[] = [];
    let whole: Buffer | null = null;
    let size = 0;
    let deadline: NodeJS.Timeout | undefined;
    let taken = 0;
    let isError = false;
    const finish = () => {
      clearTimeout(deadline);
      const body = whole?.subarray(0, size) ?? (pieces.length === 1 ? pieces[0] : undefined);
      if (body !== undefined) return resolve({ status, headers, body, latencyMs });
      const joined = joinInTurns(pieces, takeTurns(host, { patient: true }));
      resolve(joined.then((all) => ({ status, headers, body: all, latencyMs })));
    };
    const refuseBeyond = (bytes: number) => {
      if (bytes > options.mostBytes) {
        const message = `the answer is longer than ${options.mostBytes} bytes`;
        return new CallFailed(failure("bad_answer", { status, message }));
      }
      try {
        if (bytes > taken) options.room.take(bytes - taken);
        taken = Math.max(bytes, taken);
        return null;
      } catch (error) {
        return error as NoRoom;
      }
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
          isError = statusCode >= 300;
          const refused = isError ? null : refuseBeyond(announced);
          if (refused !== null) controller.abort(refused);
          else if (announced > onePiece && !isError) whole = Buffer.allocUnsafeSlow(announced);
        },
        onResponseData(controller, piece) {
          const refused = refuseBeyond(size + piece.length);
          if (refused !== null) controller.abort(refused);
          else if (whole === null) pieces.push(piece);
          else piece.copy(whole, size);
          size += piece.length;
          if (!isError || size < options.mostErrorBytes) return;
          finish();
          controller.abort(new Error("the beginning of an error says enough"));
        },
        onResponseEnd: finish,
        onResponseError(_, error) {
          clearTimeout(deadline);
          pieces = [];
          whole = null;
          if (error instanceof CallFailed || error instanceof NoRoom) return reject(error);
          const broken = readBreak(error, host, status !== 0);
          reject(new CallFailed(status !== 0 && isRefusal(status) ? { ...broken, mayBill: false } : broken));
        },
      },
    );
  });
}
