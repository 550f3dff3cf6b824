import type { FastifyInstance } from "fastify";
import { api, basePath as apiPath } from "#contract/api.ts";
import { cachedAnswerHeaders, type Endpoint } from "#contract/endpoint.ts";

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

/** What any page may call: it needs no credential, and what it takes is known to the page's program alone. */
const forAll = new Set(
  Object.values<Endpoint>(api)
    .filter(({ anyOrigin }) => anyOrigin)
    .map(({ path }) => apiPath + path),
);

/**
 * Lets programs in pages of other origins call the API, and answers the browsers' preflights.
 * Cookies are never accepted: what such a program may do depends on the key that it sends.
 *
 * @param allowed `*` among them: every origin; null: none, except for what is for all
 */
export function allowOrigins(app: FastifyInstance, allowed: readonly string[] | null): void {
  app.addHook("onRequest", (request, reply, done) => {
    const isForAll = forAll.has(request.url.replace(/\?.*/, ""));
    const origins = isForAll ? ["*"] : allowed;
    if (origins === null || !request.url.startsWith(`${apiPath}/`)) return done();
    const every = origins.includes("*");
    if (!every) reply.header("vary", "Origin");
    const { origin } = request.headers;
    if (origin === undefined || !(every || origins.includes(origin))) return done();
    reply.headers({ "access-control-allow-origin": every ? "*" : origin, "access-control-expose-headers": shown });
    const method = request.headers["access-control-request-method"];
    if (request.method !== "OPTIONS" || method === undefined) return done();
    const wanted = request.headers["access-control-request-headers"];
    reply.headers({
      "access-control-allow-methods": isForAll ? "POST" : "GET, POST, PUT, PATCH, DELETE",
      "access-control-max-age": "600",
      ...(wanted === undefined ? {} : { "access-control-allow-headers": wanted }),
    });
    void reply.code(204).send();
  });
}
