import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** A request to the vendor, byte for byte. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the vendor answers, byte for byte. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** written one after another */
  readonly pieces: readonly (string | Buffer)[];
  /** milliseconds between two of them */
  readonly betweenMs?: number;
  /** those from the one with this index on wait for the promise */
  readonly hold?: { readonly from: number; readonly until: Promise<unknown> };
  /** how it ends after the last one; default: in good order */
  readonly end?: "cut" | "hang";
}

/** A vendor's JSON, with the id of its request, `req_1`. */
export const json = (
  body: unknown,
  status = 200,
  headers: NonNullable<ScriptedAnswer["headers"]> = {},
): ScriptedAnswer => ({
  status,
  headers: { "content-type": "application/json", "x-request-id": "req_1", ...headers },
  pieces: [JSON.stringify(body)],
});

/** Answers with a vendor's headers: one as a whole, and a stream piece by piece. */
export const answersOf = (vendorHeaders: Readonly<Record<string, string>>, whole: string) => ({
  answering: (pieces: ScriptedAnswer["pieces"], more: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
    headers: { ...vendorHeaders, "content-type": "text/event-stream; charset=utf-8" },
    pieces,
    ...more,
  }),
  answeringWhole: (body = whole, more: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
    headers: { ...vendorHeaders, "content-type": "application/json" },
    pieces: [body],
    ...more,
  }),
});

/** What decides about an answer, which may wait for something first. */
type Script = (request: ReceivedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

export interface ScriptedVendor {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** what it answers from now on */
  answer(next: ScriptedAnswer | Script): void;
  /** connections that the other side left before the answer was over */
  abandoned(): number;
  close(): Promise<void>;
}

/** A vendor that answers what it is told to, whatever it is asked. */
export async function startScriptedVendor(): Promise<ScriptedVendor> {
  const requests: ReceivedRequest[] = [];
  let script: Script = () => ({ status: 500, pieces: [] });
  let abandoned = 0;
  const server = createServer((request, response) => {
    response.once("close", () => {
      if (!response.writableFinished) abandoned += 1;
    });
    void respond(request, response).catch(() => response.destroy());
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const received = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(pieces).toString("utf8"),
    };
    requests.push(received);
    const { status = 200, headers = {}, pieces: written, betweenMs = 0, hold, end } = await script(received);
    response.writeHead(status, headers);
    response.flushHeaders();
    for (const [index, piece] of written.entries()) {
      if (index === hold?.from) await hold.until;
      if (response.destroyed) return;
      response.write(piece);
      if (betweenMs > 0) await wait(betweenMs);
    }
    if (end === "hang") return;
    // What was written is on its way before the connection breaks.
    if (end === "cut") return void setTimeout(() => response.destroy(), 50);
    response.end();
  }

  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (next) => void (script = typeof next === "function" ? next : () => next),
    abandoned: () => abandoned,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
