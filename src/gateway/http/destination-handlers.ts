import * as destinations from "../domain/destinations/destinations.ts";
import type { Handlers } from "./bind.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { readIfMatch, tagged } from "./version.ts";

/** The verbs of observability destinations. A record's version travels as its ETag. */
export const destinationHandlers = {
  listDestinations: (ctx, { query }) => destinations.list(ctx, query),
  createDestination: async (ctx, { body }, { reply, request }) =>
    tagged(reply, await destinations.create(ctx, body, idempotencyKey(request))),
  getDestination: async (ctx, { params }, { reply }) => tagged(reply, await destinations.get(ctx, params.id)),
  updateDestination: async (ctx, { params, body }, { request, reply }) =>
    tagged(reply, await destinations.update(ctx, params.id, body, readIfMatch(request))),
  deleteDestination: (ctx, { params }, { request }) => destinations.remove(ctx, params.id, readIfMatch(request)),
  listDestinationTypes: async (ctx) => destinations.types(ctx),
} satisfies Partial<Handlers>;
