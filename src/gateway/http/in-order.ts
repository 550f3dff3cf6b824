import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Serves a connection's requests one after another, in the order in which their answers must be sent anyway. Otherwise
 * pipelined requests would all run before anybody else's, a thousand of them in 60 kB.
 */
export function serveInOrder(app: FastifyInstance): void {
  const latest = new WeakMap<Socket, ServerResponse>();
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    const before = latest.get(socket);
    latest.set(socket, reply.raw);
    if (before === undefined || before.closed) return done();
    before.once("close", () => {
      // Others take their turn in between; a caller who has left meanwhile needs no more answers.
      setImmediate(() => {
        if (!reply.raw.destroyed) done();
      });
    });
  });
}
