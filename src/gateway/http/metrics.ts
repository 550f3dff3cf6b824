import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { getReadiness } from "#contract/health.ts";
import type { Scraped } from "../metrics.ts";
import type { Authenticate } from "./auth.ts";

export interface MetricsOptions {
  readonly scrape: () => Promise<Scraped>;
  /** a bearer token that may read the metrics and nothing else; null: only management keys may */
  readonly token: string | null;
}

/** Serves the metrics to a management key, a console session, or the token that was set for them. */
export function bindMetrics(app: FastifyInstance, { scrape, token }: MetricsOptions, authenticate: Authenticate): void {
  const endpoint = { ...getReadiness, auth: "management" as const };
  const isToken = (request: FastifyRequest) =>
    token !== null && same(request.headers.authorization ?? "", `Bearer ${token}`);
  app.get("/metrics", {
    config: { operation: "metrics", whileStopping: true },
    onRequest: async (request) => {
      if (!isToken(request)) request.caller = await authenticate(request, endpoint);
    },
    handler: async (_, reply) => {
      const { contentType, text } = await scrape();
      return reply.headers({ "content-type": contentType, "cache-control": "no-store" }).send(text);
    },
  });
}

function same(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
