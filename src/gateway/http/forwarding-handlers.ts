import * as deadLetters from "../domain/destinations/dead-letters.ts";
import * as deliveryTrace from "../domain/destinations/delivery-trace.ts";
import * as health from "../domain/destinations/health.ts";
import * as dryRun from "../domain/destinations/dry-run.ts";
import type { Handlers } from "./bind.ts";

/** The console's endpoints for delivery. */
export const forwardingHandlers = {
  getDestinationHealth: (ctx, { params }) => health.get(ctx, params.id),
  listDestinationHealth: (ctx, { query }) => health.list(ctx, query),
  testDestination: (ctx, { body }) => dryRun.test(ctx, body),
  previewDestination: (ctx, { body }) => dryRun.preview(ctx, body),
  tryDestination: (ctx, { body }) => dryRun.tryRules(ctx, body),
  estimateDestination: (ctx, { body }) => dryRun.estimate(ctx, body),
  getDeliveryOutcome: (ctx, { query }) => deliveryTrace.get(ctx, query.generation_id),
  listDeadLetters: (ctx, { params, query }) => deadLetters.list(ctx, params.id, query),
  replayDeadLetters: (ctx, { params, body }) => deadLetters.replay(ctx, params.id, body),
  replayDestination: (ctx, { params, body }) => deadLetters.replayFrom(ctx, params.id, new Date(body.from)),
  retryDestination: (ctx, { params }) => deadLetters.retry(ctx, params.id),
} satisfies Partial<Handlers>;
