import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { bodyIn } from "../domain/bodies/store.ts";
import type { CursorStore } from "../domain/destinations/cursor-store.ts";
import { eventOf } from "../domain/destinations/events.ts";
import { compilePipeline } from "../domain/destinations/pipeline.ts";
import { callBodyAad } from "../domain/secrets/aad.ts";
import type { SecretBox } from "../domain/secrets/box.ts";
import type { Sender } from "./sender.ts";

/** How long dead letters are retried before new calls take their turn. */
const replayMs = 500;

/** The dead letters of a destination that are to be retried. */
export class Replays {
  /** whether there may be some */
  due: boolean;
  /** tried since the last request, and perhaps not recorded yet */
  private readonly tried = new Set<string>();
  private readonly sender: Sender;
  private readonly deps: { readonly cursors: CursorStore; readonly secrets: SecretBox };

  constructor(deps: { cursors: CursorStore; secrets: SecretBox }, sender: Sender, due: boolean) {
    this.deps = deps;
    this.sender = sender;
    this.due = due;
  }

  /** Dead letters are to be retried, those that just failed included. */
  request(): void {
    this.due = true;
    this.tried.clear();
  }

  /** Retries dead letters one by one; one that fails becomes a dead letter again. */
  async deliver(): Promise<void> {
    const { sender, tried } = this;
    const { cursors, secrets } = this.deps;
    this.due = false;
    const rows = await cursors.replays(sender.id);
    const began = performance.now();
    for (const [index, row] of rows.entries()) {
      if (!sender.active) return;
      if (tried.has(row.id)) continue;
      // New calls go in between: a long replay to a slow destination delays them by one call at a time.
      if (index > 0 && performance.now() - began > replayMs) {
        this.due = true;
        return;
      }
      tried.add(row.id);
      const body = row.sealed === null ? null : bodyIn(secrets.open(row.sealed, callBodyAad(row.id)));
      const event = this.decideAgain(eventOf(row, body));
      const outcome = await sender.tryOnce([event]);
      if (outcome.outcome === "accepted") sender.noteRedelivered(row.id);
      else if (outcome.outcome === "unavailable") {
        tried.delete(row.id);
        this.due = true;
        return await sender.backOff(outcome);
      } else sender.deadLetter({ row, event }, 1, outcome);
    }
    this.due ||= rows.length === 100;
  }

  /** An event that was let through before, as it is sent again: only privacy is applied again. */
  private decideAgain(event: ForwardedEvent): ForwardedEvent {
    const { settings } = this.sender;
    const anyway = compilePipeline({ ...settings, apiKeyHashes: null, filterRules: null, samplingRate: 1 });
    const decision = anyway(event);
    return decision.outcome === "forwarded" ? decision.event : event;
  }
}
