import * as deadLetters from "../domain/destinations/dead-letters.ts";
import * as fate from "../domain/destinations/delivery-trace.ts";
import * as health from "../domain/destinations/health.ts";
import * as trials from "../domain/destinations/dry-run.ts";
import type { Handlers } from "./bind.ts";

type Name =
  | `${"test" | "preview" | "try" | "estimate" | "replay" | "retry"}Destination`
  | "getDestinationHealth"
  | "listDestinationHealth"
  | "getEventFate"
  | "listDeadLetters"
  | "replayDeadLetters";

/** The console's endpoints for delivery. */
export const forwardingHandlers: Pick<Handlers, Name> = {
  getDestinationHealth: (ctx, { params }) => health.get(ctx, params.id),
  listDestinationHealth: (ctx, { query }) => health.list(ctx, query),
  testDestination: (ctx, { body }) => trials.test(ctx, body),
  previewDestination: (ctx, { body }) => trials.preview(ctx, body),
  tryDestination: (ctx, { body }) => trials.tryRules(ctx, body),
  estimateDestination: (ctx, { body }) => trials.estimate(ctx, body),
  getEventFate: (ctx, { query }) => fate.get(ctx, query.generation_id),
  listDeadLetters: (ctx, { params, query }) => deadLetters.list(ctx, params.id, query),
  replayDeadLetters: (ctx, { params, body }) => deadLetters.replay(ctx, params.id, body),
  replayDestination: (ctx, { params, body }) => deadLetters.replayFrom(ctx, params.id, new Date(body.from)),
  retryDestination: (ctx, { params }) => deadLetters.retry(ctx, params.id),
};
