import { setTimeout as sleep } from "node:timers/promises";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import type { Claimed, NewDeadLetter, Progress } from "../domain/destinations/cursor-store.ts";
import { openConfig } from "../domain/destinations/destinations.ts";
import type { LedgerJson } from "../domain/destinations/events.ts";
import type { Decision } from "../domain/destinations/pipeline.ts";
import { type LedgerPosition, positionOf } from "../domain/destinations/position.ts";
import { settingsOf } from "../domain/destinations/settings.ts";
import { callBodyAad } from "../domain/secrets/aad.ts";
import type { SecretBox } from "../domain/secrets/box.ts";
import type { Format, Sink } from "../exporters/format.ts";
import { formats, sinkOf } from "../exporters/formats.ts";
import { attemptEvents } from "./attempt.ts";
import { backoffMs } from "./backoff.ts";
import type { Failure, Outcome } from "./bisect.ts";
import { createCounters } from "./counters.ts";
import type { Send } from "./transport.ts";
import { errorName } from "../error-name.ts";

export interface SenderDeps {
  readonly send: Send;
  readonly secrets: SecretBox;
  readonly now: () => Date;
  /** from 0 up to 1, as of Math.random */
  readonly random: () => number;
  /** false once the claim may have expired */
  readonly held: () => boolean;
  /** logs a change at a destination */
  readonly report: (report: DeliveryReport) => void;
}

/** A change at a destination: it began to fail, it accepts calls again, or one call was given up. */
export type DeliveryReport =
  | { readonly type: "failing"; readonly destination: string; readonly status: number | null }
  | { readonly type: "recovered"; readonly destination: string; readonly failedMs: number }
  | {
      readonly type: "dead";
      readonly destination: string;
      readonly generation: string;
      readonly status: number | null;
      readonly attempts: number;
    };

/** `ending`: nothing more is tried. `cutting`: what is under way is cut off. */
export interface SenderSignals {
  readonly ending: AbortSignal;
  readonly cutting: AbortSignal;
}

const notTried: Failure = {
  outcome: "unavailable",
  message: "its delivery ends",
  status: null,
  body: null,
  afterMs: null,
};

const countedAs = { filtered: "filtered", sampled_out: "sampled_out", not_in_allowlist: "not_allowed" } as const;

/**
 * Sends to one destination, and keeps the account of it: how far the ledger is delivered, how the destination is doing,
 * and what happened since this was last recorded.
 */
export class Sender {
  readonly id: string;
  readonly settings: ReturnType<typeof settingsOf>;
  readonly format: Format;
  /** everything up to here is delivered, passed over or given up */
  position: LedgerPosition;
  /** failed tries in a row */
  attempt: number;
  /**
   * the destination has accepted something since these settings apply, and since an event was last given up unproven
   */
  alive: boolean;

  private readonly deps: SenderDeps;
  private readonly signals: SenderSignals;
  private readonly sink: Sink;
  private readonly epoch: number;
  private readonly counters: ReturnType<typeof createCounters>;
  private changed = false;
  private nextTryAt: Date | null = null;
  private failingSince: Date | null;
  private lastSuccessAt: Date | null = null;
  private lastError: object | null = null;
  private dead: NewDeadLetter[] = [];
  private redelivered: string[] = [];

  /** @throws when its stored settings cannot be used */
  constructor(deps: SenderDeps, claimed: Claimed, signals: SenderSignals) {
    this.deps = deps;
    this.signals = signals;
    this.id = claimed.id;
    this.epoch = claimed.epoch;
    this.settings = settingsOf(claimed);
    this.format = formats[claimed.type];
    this.sink = sinkOf(claimed.type, openConfig(deps, claimed));
    this.counters = createCounters(deps.now);
    this.position = { xact: claimed.cursor_xact, seq: claimed.cursor_seq };
    this.attempt = claimed.attempt;
    this.alive = claimed.last_success_at !== null && claimed.last_success_at > claimed.updated_at;
    this.failingSince = claimed.failing_since === null ? null : new Date(claimed.failing_since);
  }

  /** false: nothing more may be sent, now or at all */
  get active(): boolean {
    return !this.signals.ending.aborted && this.deps.held();
  }

  async tryOnce(events: readonly ForwardedEvent[]): Promise<Outcome> {
    const { format, sink, deps, signals } = this;
    const { send, now } = deps;
    if (signals.ending.aborted) return notTried;
    const { outcome, request } = await attemptEvents({ format, sink, send, now }, events, signals.cutting);
    this.changed = true;
    if (outcome.outcome === "accepted") this.noteAccepted(events.length);
    else this.noteFailed(outcome, request);
    return outcome;
  }

  private noteAccepted(events: number): void {
    const { now, report } = this.deps;
    this.counters.add("delivered", events);
    this.lastSuccessAt = now();
    if (this.failingSince !== null) {
      const failedMs = this.lastSuccessAt.getTime() - this.failingSince.getTime();
      report({ type: "recovered", destination: this.id, failedMs });
    }
    this.attempt = 0;
    this.nextTryAt = this.failingSince = null;
    this.alive = true;
  }

  private noteFailed({ status, body, message }: Failure, request: object | null): void {
    const { now, report } = this.deps;
    if (this.failingSince === null) report({ type: "failing", destination: this.id, status });
    this.failingSince ??= now();
    this.counters.failed(message);
    this.noteError({ status, body, message, request });
  }

  private noteError(error: { status: number | null; body: string | null; message: string; request: object | null }) {
    this.lastError = { at: this.deps.now().toISOString(), ...error };
    this.changed = true;
  }

  /** The store does not answer, or a body cannot be decrypted. */
  noteUnreadable(error: unknown): void {
    const message = `the ledger could not be read: ${errorName(error)}`;
    this.noteError({ status: null, body: null, message, request: null });
  }

  /** Waits until the destination is tried again. */
  async backOff(failure: Failure): Promise<void> {
    if (failure === notTried) return;
    this.attempt += 1;
    const waitMs = backoffMs(this.attempt, failure.afterMs, this.deps.random());
    this.nextTryAt = new Date(this.deps.now().getTime() + waitMs);
    this.changed = true;
    await sleep(waitMs, undefined, { signal: this.signals.ending }).catch(() => {});
  }

  /** Gives an event up: it becomes a dead letter, with the bodies that the destination would have been sent. */
  deadLetter({ row, event }: Forwarded, attempts: number, { status, body, message }: Failure): void {
    const { now, report, secrets } = this.deps;
    this.changed = true;
    this.counters.add("dead");
    const { id, workspace_id, created_at } = row;
    const { input, output } = event;
    const sealed =
      input === null ? null : secrets.seal(JSON.stringify({ input, output, error: null }), callBodyAad(id));
    const answer = { status, body, message };
    report({ type: "dead", destination: this.id, generation: id, status, attempts });
    this.dead.push({ id, workspace_id, created_at, died_at: now().toISOString(), attempts, answer, sealed });
  }

  /** A dead letter was delivered. */
  noteRedelivered(id: string): void {
    this.redelivered.push(id);
  }

  /** Moves on: the event was sent or given up, or the settings do not let it through. */
  pass(row: LedgerJson, { outcome }: EnabledDecision): void {
    if (outcome !== "forwarded") this.counters.add(countedAs[outcome]);
    this.position = positionOf(row);
    this.changed = true;
  }

  /** What happened since the last time; null: nothing. */
  take(): Progress | null {
    if (!this.changed) return null;
    const taken: Progress = {
      destination_id: this.id,
      epoch: this.epoch,
      xact: this.position.xact,
      seq: this.position.seq,
      attempt: this.attempt,
      next_try_at: this.nextTryAt?.toISOString() ?? null,
      failing_since: this.failingSince?.toISOString() ?? null,
      last_success_at: this.lastSuccessAt?.toISOString() ?? null,
      last_error: this.lastError,
      minutes: this.counters.take(),
      errors: this.counters.takeErrors(),
      dead: this.dead,
      redelivered: this.redelivered,
    };
    this.changed = false;
    this.lastError = null;
    this.dead = [];
    this.redelivered = [];
    return taken;
  }
}

/** An event that the settings let through, and its call. */
export interface Forwarded {
  readonly row: LedgerJson;
  readonly event: ForwardedEvent;
}

/** What a destination's settings decide about a call: a disabled one is not claimed. */
export type EnabledDecision = Exclude<Decision, { outcome: "disabled" }>;
