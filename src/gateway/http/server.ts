import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import cookie from "@fastify/cookie";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { Refusal } from "../domain/refusal.ts";
import { toErrorAnswer } from "./errors.ts";

export interface ServerOptions {
  basePath: string;
  /** true where a proxy stands in front: then addresses in private networks may say who the caller is */
  behindProxy: boolean;
  logLevel: string;
  /** where the log's lines go */
  logStream: { write(line: string): void };
}

/** An HTTP server with everything that is the same for all routes: ids, errors, log, limits of time and size. */
export async function makeServer(options: ServerOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    logger: { level: options.logLevel, stream: options.logStream, redact: ["req.headers", "res.headers"] },
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for each request costs more than all that is logged in it; `place` names the request.
    childLoggerFactory: (logger) => logger,
    genReqId: () => `req-${randomUUID()}`,
    rewriteUrl: (request) => withoutBasePath(request.url ?? "/", options.basePath),
    trustProxy: options.behindProxy ? ["loopback", "linklocal", "uniquelocal"] : false,
    requestTimeout: 120_000,
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: "idle",
    clientErrorHandler: answerUnparsable,
    frameworkErrors: (error, request, reply) => {
      const answer = toErrorAnswer(error, request.id);
      void (reply as FastifyReply)
        .code(answer.status)
        .headers({ "x-request-id": request.id, "cache-control": "no-store", ...answer.headers })
        .send(answer.body);
    },
  });
  await app.register(cookie);
  // The endpoint parses: a model call's body must reach the relay as the bytes that came.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body));
  app.decorateRequest("caller");
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers({
      "x-request-id": request.id,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const answer = toErrorAnswer(error, request.id);
    // Who has left is told nothing, and leaving is no defect.
    const left = reply.raw.destroyed && error instanceof Error && error.name === "AbortError";
    if (answer.defect && !left) request.log.error({ err: error, ...place(request) }, "a request met a defect");
    void reply
      .code(answer.status)
      .headers({ "cache-control": "no-store", ...answer.headers })
      .send(answer.body);
  });
  app.setNotFoundHandler((request) => {
    throw new Refusal(
      "not_found",
      `Nothing answers ${request.method} at this path; the API's paths begin with /api/v1/`,
    );
  });
  if (options.logLevel === "debug") {
    app.addHook("onResponse", async (request, reply) => {
      const ms = Math.round(reply.elapsedTime);
      request.log.debug({ ...place(request), status: reply.statusCode, ms }, "answered");
    });
  }
  return app;
}

/** What the log says about a request. Never the URL: people paste keys into addresses and searches. */
function place(request: FastifyRequest) {
  return {
    reqId: request.id,
    operation: request.routeOptions.config.operation ?? null,
    method: request.method,
    ip: request.ip,
  };
}

/** A proxy may pass the sub-path on or strip it: both arrive at the same routes. */
function withoutBasePath(url: string, basePath: string): string {
  if (basePath === "" || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : url;
}

const unparsable: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    message: "The request's headers are too large",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", message: "The request did not arrive in time" },
};

/** Answers what is not HTTP, or came too slowly, where no request exists yet. */
function answerUnparsable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = unparsable[error.code ?? ""] ?? {
    status: "400 Bad Request",
    message: "The request is not valid HTTP",
  };
  const body = JSON.stringify({ error: { code: Number.parseInt(status, 10), message } });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
