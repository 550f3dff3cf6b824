import type { FastifyInstance, FastifyRequest } from "fastify";

/** A model call's result, as far as the access log shows it. */
export interface CallSummary {
  readonly model: string;
  readonly provider: string;
  readonly cost_usd: number;
}

/** A line for each answered request. */
export interface AccessLog {
  /** what this request's call was charged; nothing once the request is over */
  settled(requestId: string, summary: CallSummary): void;
  bind(app: FastifyInstance): void;
}

/** How much of a key's hash the log shows: enough to identify it, too little to look anything up with. */
const hashCharacters = 12;

/** The key of a request, for the log; null where it has none that is known. */
export function keyOf({ key }: FastifyRequest): string | null {
  return key?.hash.slice(0, hashCharacters) ?? null;
}

/** What the log says about a request. Never the URL: people paste keys into addresses and searches. */
export function requestFields(request: FastifyRequest) {
  return {
    reqId: request.id,
    operation: request.routeOptions.config.operation ?? null,
    method: request.method,
    ip: request.ip,
  };
}

/** The status that web servers log for a caller who left before the end of the answer; the ledger uses it too. */
const leftStatus = 499;

export function createAccessLog(): AccessLog {
  const open = new Map<string, CallSummary | null>();
  return {
    settled(requestId, summary) {
      if (open.has(requestId)) open.set(requestId, summary);
    },
    bind(app) {
      app.addHook("onRequest", (request, reply, done) => {
        const started = performance.now();
        open.set(request.id, null);
        // The framework's own hook does not fire for answers whose caller has left.
        reply.raw.once("close", () => {
          const summary = open.get(request.id) ?? null;
          open.delete(request.id);
          const status = reply.raw.writableFinished ? reply.raw.statusCode : leftStatus;
          const ms = Math.round(performance.now() - started);
          app.log.info({ ...requestFields(request), key: keyOf(request), ...summary, status, ms }, "answered");
        });
        done();
      });
    },
  };
}
