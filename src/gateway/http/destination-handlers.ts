import * as deadLetters from "../domain/destinations/dead-letters.ts";
import * as deliveryTrace from "../domain/destinations/delivery-trace.ts";
import * as destinations from "../domain/destinations/destinations.ts";
import * as dryRun from "../domain/destinations/dry-run.ts";
import * as health from "../domain/destinations/health.ts";
import * as sessionSample from "../domain/destinations/session-sample.ts";
import type { Handlers } from "./bind.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { readIfMatch, tagged } from "./version.ts";

/** The verbs of observability destinations and of delivery to them. A record's version travels as its ETag. */
export const destinationHandlers = {
  listDestinations: (ctx, { query }) => destinations.list(ctx, query),
  createDestination: async (ctx, { body }, { reply, request }) =>
    tagged(reply, await destinations.create(ctx, body, idempotencyKey(request))),
  getDestination: async (ctx, { params }, { reply }) => tagged(reply, await destinations.get(ctx, params.id)),
  updateDestination: async (ctx, { params, body }, { request, reply }) =>
    tagged(reply, await destinations.update(ctx, params.id, body, readIfMatch(request))),
  deleteDestination: (ctx, { params }, { request }) => destinations.remove(ctx, params.id, readIfMatch(request)),
  listDestinationTypes: async (ctx) => destinations.types(ctx),

  getDestinationHealth: (ctx, { params }) => health.get(ctx, params.id),
  listDestinationHealth: (ctx, { query }) => health.list(ctx, query),
  testDestination: (ctx, { body }) => dryRun.test(ctx, body),
  previewDestination: (ctx, { body }) => dryRun.preview(ctx, body),
  tryDestination: (ctx, { body }) => dryRun.tryRules(ctx, body),
  estimateDestination: (ctx, { body }) => dryRun.estimate(ctx, body),
  sampleSessions: (ctx, { body }) => sessionSample.get(ctx, body),
  getDeliveryOutcome: (ctx, { query }) => deliveryTrace.get(ctx, query.generation_id),
  listDeadLetters: (ctx, { params, query }) => deadLetters.list(ctx, params.id, query),
  replayDeadLetters: (ctx, { params, body }) => deadLetters.replay(ctx, params.id, body),
  replayDestination: (ctx, { params, body }) => deadLetters.replayFrom(ctx, params.id, new Date(body.from)),
  retryDestination: (ctx, { params }) => deadLetters.retry(ctx, params.id),
} satisfies Partial<Handlers>;
