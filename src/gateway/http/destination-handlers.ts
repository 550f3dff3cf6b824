import type { FastifyReply } from "fastify";
import * as destinations from "../domain/destinations/destinations.ts";
import { invalid } from "../domain/refusal.ts";
import type { Handlers } from "./bind.ts";
import { idempotencyKey } from "./idempotency-key.ts";

type Name = `${"create" | "get" | "update" | "delete"}Destination` | "listDestinations" | "listDestinationTypes";

/** The verbs of observability destinations. A record's version travels as its ETag. */
export const destinationHandlers: Pick<Handlers, Name> = {
  listDestinations: (ctx, { query }) => destinations.list(ctx, query),
  createDestination: async (ctx, { body }, { reply, request }) =>
    tagged(reply, await destinations.create(ctx, body, idempotencyKey(request))),
  getDestination: async (ctx, { params }, { reply }) => tagged(reply, await destinations.get(ctx, params.id)),
  updateDestination: async (ctx, { params, body }, { request, reply }) =>
    tagged(reply, await destinations.update(ctx, params.id, body, readIfMatch(request.headers["if-match"]))),
  deleteDestination: (ctx, { params }) => destinations.remove(ctx, params.id),
  listDestinationTypes: async (ctx) => destinations.types(ctx),
};

function tagged(reply: FastifyReply, { data, version }: destinations.Versioned) {
  reply.header("etag", `"${version}"`);
  return { data };
}

/** The version that the caller saw; null when it sent none or `*`. */
function readIfMatch(header: string | undefined): number | null {
  if (header === undefined || header.trim() === "*") return null;
  const version = /^"(\d{1,9})"$/.exec(header.trim())?.[1];
  if (version === undefined)
    throw invalid("", 'The If-Match header must be the ETag of an earlier answer, such as "3"');
  return Number(version);
}
