import type { FastifyInstance } from "fastify";
import { basePath as apiPath } from "#contract/api.ts";
import { cachedAnswerHeaders } from "#contract/endpoint.ts";

/** What a program in a page may read of an answer, apart from the few headers that browsers always expose. */
const shown = [
  "ETag",
  "Retry-After",
  "X-Generation-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  ...cachedAnswerHeaders,
  "X-Vector-Space",
].join(", ");

/**
 * Lets programs in pages of other origins call the API, and answers the browsers' preflights.
 * Cookies are never accepted: what such a program may do depends on the key that it sends.
 *
 * @param origins `*` among them: every origin
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const every = origins.includes("*");
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.url.startsWith(`${apiPath}/`)) return done();
    if (!every) reply.header("vary", "Origin");
    const { origin } = request.headers;
    if (origin === undefined || !(every || origins.includes(origin))) return done();
    reply.headers({ "access-control-allow-origin": every ? "*" : origin, "access-control-expose-headers": shown });
    const method = request.headers["access-control-request-method"];
    if (request.method !== "OPTIONS" || method === undefined) return done();
    const wanted = request.headers["access-control-request-headers"];
    reply.headers({
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      "access-control-max-age": "600",
      ...(wanted === undefined ? {} : { "access-control-allow-headers": wanted }),
    });
    void reply.code(204).send();
  });
}
