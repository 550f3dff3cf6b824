import type { IncomingMessage } from "node:http";
import cookie from "@fastify/cookie";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { basePath as apiPath } from "#contract/api.ts";
import type { ErrorType } from "#contract/errors.ts";
import { scimMediaType } from "#contract/scim-protocol.ts";
import type { BurstLog } from "../domain/burst-log.ts";
import { Refusal } from "../domain/refusal.ts";
import { newRequestId } from "../domain/request-id.ts";
import { type AccessLog, keyOf, requestFields } from "./access-log.ts";
import { beginInSlices } from "./begin-in-slices.ts";
import { answerUnparsable, connectionsCheckingInterval, guardConnections } from "./connections.ts";
import { allowOrigins } from "./cors.ts";
import type { Drain } from "./drain.ts";
import { unservedArea } from "./unserved.ts";
import { createMemoryBudget } from "../memory-budget.ts";
import { type ErrorBody, errorFormOf, isWrongType, toErrorAnswer } from "./errors.ts";
import { refuseAmbiguousHead, refuseForeignHost } from "./host-check.ts";
import { serveInOrder } from "./in-order.ts";
import { acceptMany } from "./listeners.ts";
import { readRequestBody, streamedJsonRoom, takeStreamedBody } from "./read-request.ts";
import { familyOf, fromShortPath } from "./short-paths.ts";
import { endUnread } from "./unread.ts";
import { TooManyCalls, tooManyCalls } from "../too-many-calls.ts";

/** For all requests in progress; most of it is images of several megabytes. */
const mostBodyBytes = 192 * 1_048_576;

const urlencoded = "application/x-www-form-urlencoded";

export interface ServerOptions {
  basePath: string;
  /** whose pages may call the API; null: only the gateway's own */
  corsOrigins: readonly string[] | null;
  /** true behind a proxy: then addresses in private networks may report the caller's address */
  behindProxy: boolean;
  /** true if only this machine can reach the gateway: then it only answers to this machine's names */
  localOnly: boolean;
  logLevel: string;
  /** where the log's lines go */
  logStream: { write(line: string): void };
  drain: Drain;
  now: () => Date;
  bursts: BurstLog;
  /** counts a refusal */
  refused: (reason: string) => void;
  /** null: no line for each request */
  accessLog: AccessLog | null;
  /** connections beyond this are closed at once */
  mostConnections: number;
  /** how long a caller may read nothing of its answer, milliseconds */
  unreadMs: number;
}

/** An HTTP server with everything that all routes share: ids, errors, log, limits of time and size. */
export async function makeServer(options: ServerOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    logger: { level: options.logLevel, stream: options.logStream, redact: ["req.headers", "res.headers"] },
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request costs more than everything that is logged with it; `requestFields` identifies the request.
    childLoggerFactory: (logger) => logger,
    genReqId: () => newRequestId(options.now()),
    rewriteUrl: (request) => fromShortPath(request, withoutBasePath(request.url ?? "/", options.basePath)),
    trustProxy: options.behindProxy ? ["loopback", "linklocal", "uniquelocal"] : false,
    requestTimeout: 120_000,
    // A missing Host is refused by refuseAmbiguousHead, in the API's envelope.
    http: { headersTimeout: 60_000, connectionsCheckingInterval, requireHostHeader: false },
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: "idle",
    // While the gateway stops, its own refusal is sent, in the API's envelope.
    return503OnClosing: false,
    clientErrorHandler: answerUnparsable,
    frameworkErrors: (error, request, reply) => {
      const answer = toErrorAnswer(error, request.id, errorFormOf(request.url, request.headers));
      void (reply as FastifyReply)
        .code(answer.status)
        .headers({ "x-request-id": request.id, "cache-control": "no-store", ...answer.headers })
        .send(answer.body);
    },
  });
  const nothingHere = (request: FastifyRequest) =>
    new Refusal("not_found", notServed(request, `${options.basePath}${apiPath}`));
  options.drain.watch(app.server);
  guardConnections(app.server, options.mostConnections, options.bursts);
  endUnread(app.server, options.unreadMs);
  acceptMany(app);
  await app.register(cookie);
  // The endpoint parses: a model call's body must reach the relay as the raw bytes.
  app.removeAllContentTypeParsers();
  const budget = createMemoryBudget(mostBodyBytes);
  app.decorateRequest("giveBack", null);
  app.decorateRequest("endCall", null);
  app.decorateRequest("isOver", false);
  app.decorateRequest("isInUse", false);
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
    const { streamsJson, takesUrlencoded, takesForm } = request.routeOptions.config;
    if (takesUrlencoded === true || takesForm === "streamed") throw wrongType(request);
    return streamsJson === true
      ? takeStreamedBody(request, payload, budget, streamedJsonRoom)
      : await readRequestBody(request, payload, budget);
  });
  app.addContentTypeParser(urlencoded, async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.routeOptions.config.takesUrlencoded === true) return await readRequestBody(request, payload, budget);
    throw wrongType(request);
  });
  app.addContentTypeParser(scimMediaType, async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.routeOptions.config.takesScim === true) return await readRequestBody(request, payload, budget);
    throw wrongType(request);
  });
  app.addContentTypeParser("multipart/form-data", async (request: FastifyRequest, payload: IncomingMessage) => {
    const { takesForm } = request.routeOptions.config;
    if (takesForm === "streamed") return takeStreamedBody(request, payload, budget);
    if (takesForm === true) return await readRequestBody(request, payload, budget);
    throw wrongType(request);
  });
  app.decorateRequest("caller");
  app.decorateRequest("key", null);
  serveInOrder(app);
  beginInSlices(app);
  // Before every hook that refuses requests: the log has these, too.
  options.accessLog?.bind(app);
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.once("close", () => {
      request.isOver = true;
      if (request.isInUse) return;
      request.giveBack?.();
      request.endCall?.();
    });
    reply.headers({
      "x-request-id": request.id,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    if (options.drain.refusing() && request.routeOptions.config.whileStopping !== true) {
      return done(new Refusal("unavailable", "The gateway is stopping: try again", { retryAfterSeconds: 2 }));
    }
    refuseAmbiguousHead(request.raw);
    done();
  });
  allowOrigins(app, options.corsOrigins);
  if (options.localOnly) app.addHook("onRequest", async (request) => refuseForeignHost(request.headers.host));
  app.addHook("onRequest", async (request) => {
    // Now, and not after its body, for which nobody has shown a key.
    if (request.is404) throw nothingHere(request);
  });
  app.setErrorHandler((thrown, request, reply) => {
    const error = isWrongType(thrown) ? wrongType(request) : thrown;
    const answer = toErrorAnswer(error, request.id, errorFormOf(request.url, request.headers));
    // A caller who has left gets no answer, and leaving is no defect.
    if (answer.defect && reply.raw.destroyed && isLeaving(error))
      request.log.debug(requestFields(request), "the caller left");
    else if (answer.defect)
      request.log.error({ err: error, ...requestFields(request) }, "a request hit an internal error");
    else if (error instanceof Refusal) tellRefusal(options.bursts, request, error);
    if (error instanceof Refusal) options.refused(error instanceof TooManyCalls ? tooManyCalls : error.type);
    void reply
      .code(answer.status)
      .headers({ "cache-control": "no-store", ...answer.headers })
      .send(forFamily(request, answer.body));
  });
  app.setNotFoundHandler((request) => {
    throw nothingHere(request);
  });
  if (options.logLevel === "debug") {
    app.addHook("onResponse", async (request, reply) => {
      const ms = Math.round(reply.elapsedTime);
      request.log.debug({ ...requestFields(request), status: reply.statusCode, ms }, "answered");
    });
  }
  return app;
}

/** Cohere's clients read an error's message next to it. */
function forFamily({ raw }: FastifyRequest, body: ErrorBody): unknown {
  const hasMessage = familyOf(raw)?.name === "cohere" && "error" in body && typeof body.error === "object";
  return hasMessage ? { ...body, message: (body.error as { message: string }).message } : body;
}

/** An answer that its reader cut off, even at its head, or a body that ended early. */
function isLeaving(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "AbortError" || ("code" in error && leavingCodes.has(String(error.code)));
}

const leavingCodes = new Set(["ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"]);

/** Says which media type the route takes. */
function wrongType({ routeOptions: { config } }: FastifyRequest): Refusal {
  const json = config.takesForm === "streamed" ? "multipart/form-data" : "application/json";
  const taken = config.takesUrlencoded === true ? urlencoded : json;
  return new Refusal("invalid_request", `Content-Type must be ${taken}`);
}

/** A wrong base URL is the most frequent cause, so the message gives the right one. */
function notServed({ method, url }: FastifyRequest, api: string): string {
  const area = url.startsWith(`${apiPath}/`) ? unservedArea(url.slice(apiPath.length)) : null;
  if (area !== null) return `Gatehouse does not serve ${area} yet`;
  if (url.startsWith(`${apiPath}/`))
    return `Nothing answers ${method} at this path; ${api}/openapi.json lists the paths`;
  return `Nothing answers ${method} at this path; the API is at ${api}, such as ${api}/models`;
}

/** Refusals that need somebody's attention. A wrong request is its caller's own concern. */
const toldRefusals: ReadonlySet<ErrorType> = new Set([
  "authentication",
  "payment_required",
  "permission_denied",
  "rate_limit_exceeded",
  "unavailable",
]);

/** The first refusal of a kind for a key, and how many followed. */
function tellRefusal(bursts: BurstLog, request: FastifyRequest, error: Refusal): void {
  const { type, status } = error;
  if (!toldRefusals.has(type)) return;
  const key = keyOf(request);
  const details = { ...requestFields(request), key, error_type: type, status };
  // Whose call it was matters less than that there are too many: one line for all keys.
  if (error instanceof TooManyCalls) return bursts.tell("warn", tooManyCalls, error.message, details);
  bursts.tell("warn", `refused ${type} ${key}`, "a request was refused", details);
}

/** A proxy may pass the sub-path on or strip it: both arrive at the same routes. */
function withoutBasePath(url: string, basePath: string): string {
  if (basePath === "" || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : url;
}
