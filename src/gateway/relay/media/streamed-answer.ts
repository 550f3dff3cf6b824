import { Readable } from "node:stream";
import type { RelayDeps } from "../deps.ts";
import type { ModelAnswer } from "../model-call.ts";
import type { CallContext } from "../record.ts";
import { watched } from "../watched.ts";

interface Streamed {
  readonly contentType: string;
  readonly pieces: AsyncGenerator<Buffer | string, void, void>;
  /** called once, when the caller has left, or has read everything */
  readonly leave: () => Promise<void>;
}

/** An answer that the caller reads piece by piece, and whose room is kept until it has been left. */
export function streamedAnswer(
  deps: RelayDeps,
  { call, id }: CallContext,
  { contentType, pieces, leave }: Streamed,
): ModelAnswer {
  const body: Readable = Readable.from(
    watched(pieces, deps.settings.upstreamTimeoutMs, () => body.destroy()),
    { objectMode: false, highWaterMark: 65_536 },
  );
  const { promise: over, resolve } = Promise.withResolvers<unknown>();
  body.once("close", () => {
    const leaving = leave();
    deps.untilSettled(leaving);
    resolve(leaving);
  });
  call.until(over);
  return {
    status: 200,
    headers: { "content-type": contentType, "cache-control": "no-store", "x-generation-id": id },
    body,
  };
}
