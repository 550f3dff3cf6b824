import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../domain/refusal.ts";
import type { MemoryBudget } from "../memory-budget.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** gives back the room that the body takes; null where it takes none */
    giveBack: (() => void) | null;
    /** ends the model call as far as those in flight are bounded; null where it has not begun */
    endCall: (() => void) | null;
    /** the answer is sent, or the caller has left: room taken from now on would never be given back */
    isOver: boolean;
    /** a call uses the body even if the caller leaves: the call's end gives back the room */
    isInUse: boolean;
  }
}

/** Room is taken in steps of this size for a body of unknown length. */
const step = 262_144;

/**
 * A request's body as the raw bytes. Its room is taken before it is read, and given back when the answer is finished.
 * @throws Refusal invalid_request for a compressed one, payload_too_large, or unavailable while other requests' bodies take all the room there is;
 *   AbortError where the caller leaves before its body is whole
 */
export async function readRequestBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  budget: MemoryBudget,
): Promise<Buffer> {
  const most = request.routeOptions.bodyLimit ?? 0;
  // A caller who leaves while its body is unread is no defect; without a listener the error would end the process.
  payload.on("error", () => {});
  refuseCompressed(request.headers["content-encoding"]);
  const owner = request.caller?.credential?.hash ?? request.ip;
  let taken = 0;
  const take = (bytes: number) => {
    if (request.isOver) throw left();
    if (bytes > most) throw tooLarge(most);
    const more = bytes - taken;
    if (more <= 0) return;
    if (!budget.take(owner, more)) throw noRoom();
    taken += more;
    // At the end of the call, and of the caller's connection: whichever comes second has nothing left to give back.
    request.giveBack = () => {
      budget.give(owner, taken);
      taken = 0;
    };
  };
  const announced = Number(request.headers["content-length"] ?? 0);
  take(announced);
  let whole = Buffer.allocUnsafeSlow(announced);
  let size = 0;
  // Ending the loop early must not end the connection: the refusal is sent on it.
  try {
    for await (const piece of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const needed = size + piece.length;
      if (needed > whole.length) {
        take(Math.max(needed, Math.min(most, taken + step)));
        const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, whole.length * 2, step)));
        whole.copy(larger, 0, 0, size);
        whole = larger;
      }
      piece.copy(whole, size);
      size = needed;
    }
  } catch (error) {
    if (!isCutOff(error)) throw error;
    // distinguished here from lost connections to the store, whose errors have the same codes
    throw left();
  }
  return whole.subarray(0, size);
}

/** What is held at once of a body that its handler reads as it comes: pieces of it, plain and encrypted. */
const streamedRoom = 2_097_152;
/** The same of JSON whose values are read one by one, and of those that wait for it. */
export const streamedJsonRoom = 18_874_368;

/** The body of a request that is read as it comes. @throws Refusal, as above */
export function takeStreamedBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  budget: MemoryBudget,
  room = streamedRoom,
): AsyncIterable<Buffer> {
  payload.on("error", () => {});
  refuseCompressed(request.headers["content-encoding"]);
  if (request.isOver) throw left();
  const most = request.routeOptions.bodyLimit ?? 0;
  if (Number(request.headers["content-length"] ?? 0) > most) throw tooLarge(most);
  // Apart from the room of what the same caller sends otherwise: slow uploads do not keep it from calling.
  const owner = `${request.caller?.credential?.hash ?? request.ip} streamed`;
  if (!budget.take(owner, room)) throw noRoom();
  request.giveBack = () => {
    budget.give(owner, room);
    request.giveBack = null;
  };
  return piecesOf(payload);
}

async function* piecesOf(payload: IncomingMessage): AsyncGenerator<Buffer, void, void> {
  try {
    yield* payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw isCutOff(error) ? left() : error;
  }
}

function left(): DOMException {
  return new DOMException("the caller left before its upload was whole", "AbortError");
}

/** Whether reading failed because the connection ended, not because of a fault in this process. */
function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : null;
  return error.name === "AbortError" || code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
}

/** The rest of the body is not read, so the connection cannot serve another request. */
const headers = { connection: "close" };

/** A small body's parsed size needs no bound. */
function refuseCompressed(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === "identity") return;
  const message = "Compressed request bodies are not taken: send the JSON as it is, without Content-Encoding";
  throw new Refusal("invalid_request", message, { headers });
}

function tooLarge(most: number): Refusal {
  const limit = most >= 1_048_576 ? `${most / 1_048_576} MB` : `${most / 1_024} kB`;
  return new Refusal("payload_too_large", `The request body is too large: this endpoint takes at most ${limit}`, {
    headers,
  });
}

function noRoom(): Refusal {
  const message = "The gateway holds as many request bodies as it has room for: try again";
  return new Refusal("unavailable", message, { headers, retryAfterSeconds: 2 });
}
