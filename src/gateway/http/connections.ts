import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { BurstLog } from "../domain/burst-log.ts";

/**
 * How long a connection stays open after its last answer when the caller is still sending: ended at once, the answer
 * could be lost to a reset before the caller has read it (RFC 9112, 9.6).
 */
const lingerMs = 1_000;

/** How often Node checks for requests that take too long to arrive. */
export const connectionsCheckingInterval = 2_000;

/** Bounds the connections, and closes those whose caller keeps sending a body that was already answered. */
export function guardConnections(server: Server, most: number, bursts: BurstLog, linger = lingerMs): void {
  server.maxConnections = most;
  // Otherwise a worker gives the connection back to its supervisor, which hands it out again and again. Node's types do
  // not have this member of net.Server yet.
  Object.assign(server, { dropMaxConnection: true });
  server.on("drop", () => {
    bursts.tell("warn", "connections", "a connection was closed: there are as many as GATEHOUSE_CONNECTIONS", { most });
  });
  // Without these listeners Node ends such requests by itself, without a word.
  server.on("checkExpectation", (_: IncomingMessage, response: ServerResponse) => {
    const { status, head, body } = rawAnswer(
      "417 Expectation Failed",
      "The request's Expect header can only be `100-continue`",
    );
    response.writeHead(Number.parseInt(status, 10), head).end(body);
  });
  server.on("connect", (_: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => {});
    endWith(socket, "405 Method Not Allowed", "The gateway is no proxy: CONNECT is not a method of it");
  });
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    lingerOn(request);
    response.once("finish", () => {
      if (request.complete) return;
      dropRest(request);
      const timer = setTimeout(() => {
        if (!request.complete) request.socket.destroy();
      }, linger);
      timer.unref();
      request.once("close", () => clearTimeout(timer));
    });
  });
}

/**
 * Node ends a connection right behind its last answer, and what arrives then is answered by a reset, which may overtake
 * the answer. This way the rest of the body is read and dropped first; the time for that is bounded above.
 */
function lingerOn(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = () => {
    Reflect.deleteProperty(socket, "destroySoon");
    if (request.complete) return socket.destroySoon();
    socket.end();
    request.once("end", () => socket.destroy());
    dropRest(request);
  };
}

/**
 * Reads a body to its end for nobody, so that the connection can serve its next request. Node does so only for a body
 * that no one began to read; one that was left half-way stands still.
 */
function dropRest(request: IncomingMessage): void {
  // While one listens for it, resume() does nothing: an iterator that was left does.
  request.unpipe().removeAllListeners("readable").resume();
}

const unparsable: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    message: "The request's headers are too large",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", message: "The request did not arrive in time" },
};

/** Answers what is not HTTP, or came too slowly, where no request exists yet; then ends the connection for good. */
export function answerUnparsable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = unparsable[error.code ?? ""] ?? {
    status: "400 Bad Request",
    message: "The request is not valid HTTP",
  };
  endWith(socket, status, message);
}

function endWith(socket: Duplex, status: string, message: string): void {
  const { head, body } = rawAnswer(status, message);
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status}`, ...lines, "", body].join("\r\n"));
  // The other side may never close its half.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** An error in the API's envelope, where no route is there to send it. */
function rawAnswer(status: string, message: string) {
  const body = JSON.stringify({ error: { code: Number.parseInt(status, 10), message } });
  const head = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  return { status, head, body };
}
