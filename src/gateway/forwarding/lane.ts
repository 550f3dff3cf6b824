import { setTimeout as sleep } from "node:timers/promises";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { compilePipeline, type Fate } from "../domain/destination-pipeline.ts";
import { readsBodies, settingsOf } from "../domain/destination-settings.ts";
import { eventOf, type LedgerJson } from "../domain/forwarded-events.ts";
import { openConfig } from "../domain/destinations.ts";
import { contentPlace } from "../domain/generations.ts";
import { bodyIn } from "../domain/kept-bodies.ts";
import type { SecretBox } from "../domain/secret-box.ts";
import { formats, sinkOf } from "../exporters/formats.ts";
import { attemptEvents } from "./attempt.ts";
import { backoffMs } from "./backoff.ts";
import type { Books, Burial, Claimed, Progress } from "./books.ts";
import { type Failure, isolate, type Outcome } from "./isolate.ts";
import type { Page, Pages } from "./pages.ts";
import { type Place, placeOf } from "./place.ts";
import { redact } from "./redact.ts";
import { createTally } from "./tally.ts";
import type { Send } from "./transport.ts";

export interface LaneParts {
  readonly books: Books;
  readonly pages: Pages;
  readonly send: Send;
  readonly secrets: SecretBox;
  readonly now: () => Date;
  /** from 0 up to 1, as of Math.random */
  readonly random: () => number;
  /** false while the claim may have run out */
  readonly held: () => boolean;
  /** how long to wait for the ledger to grow before looking again, milliseconds */
  readonly pollMs: number;
}

/** The delivery to one destination: one batch after the other, from its place in the ledger on. */
export interface Lane {
  readonly version: number;
  readonly epoch: number;
  /** the ledger has grown, or dead letters are to be tried again */
  wake(replays: boolean): void;
  /** What happened since the last time; null: nothing did. */
  progress(): Progress | null;
  /** Ends it; what is under way is cut off and will be sent again. */
  stop(): Promise<void>;
}

/** Between two looks at the ledger while calls keep coming, so that they travel together. */
const gatherMs = 100;
/** How long dead letters are tried again before new calls have their turn. */
const replayMs = 500;
/** Failures in a row after which the events of a batch are suspected one by one. */
const suspectEvery = 4;
/** Rejected events in a row that are looked at one by one in a first try. */
const firstRun = 6;
/** Tries after which that run does not double any more: 192 then. */
const longestRunTries = 5;
/** Failures in a row after which calls of its own session may prove that a call is poison. */
const ownSessionTries = 6;
/** Failures in a row after which a rejected event that nobody follows is given up. */
const aloneTries = 5;

interface Step {
  readonly row: LedgerJson;
  readonly fate: Exclude<Fate, { fate: "disabled" }>;
  /** about how many bytes it makes in a request */
  readonly size: number;
}

export function openLane(parts: LaneParts, claimed: Claimed): Lane {
  const { books, pages, send, now, secrets } = parts;
  const settings = settingsOf(claimed);
  const decide = compilePipeline(settings);
  const format = formats[claimed.type];
  const sink = sinkOf(claimed.type, openConfig({ secrets }, claimed));
  const wantsBodies = !settings.privacyMode || readsBodies(settings);
  const tally = createTally(now);
  const ending = new AbortController();
  const { signal } = ending;

  let place: Place = { xact: claimed.cursor_xact, seq: claimed.cursor_seq };
  let changed = false;
  let attempt = claimed.attempt;
  let nextTryAt: Date | null = null;
  let failingSince = claimed.failing_since === null ? null : new Date(claimed.failing_since);
  let lastSuccessAt: Date | null = null;
  let lastError: object | null = null;
  let dead: Burial[] = [];
  let risen: string[] = [];
  let replays = claimed.replays > 0;
  const retried = new Set<string>();
  /** the sink has taken something since these settings apply, and since an event was last given up without proof */
  let alive = claimed.last_success_at !== null && claimed.last_success_at > claimed.updated_at;
  let wakeUp: (() => void) | null = null;
  let woken = false;

  function pause(ms: number): Promise<void> {
    if (woken) {
      woken = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        wakeUp = null;
        woken = false;
        resolve();
      }
      wakeUp = done;
      signal.addEventListener("abort", done, { once: true });
    });
  }

  async function tryOnce(events: readonly ForwardedEvent[]): Promise<Outcome> {
    const { outcome, request } = await attemptEvents({ format, sink, send, now }, events, signal);
    changed = true;
    if (outcome.outcome === "accepted") {
      tally.add("delivered", events.length);
      lastSuccessAt = now();
      attempt = 0;
      nextTryAt = null;
      failingSince = null;
      alive = true;
    } else {
      failingSince ??= now();
      const { status, body, message } = shown(outcome);
      tally.failed(message);
      lastError = { at: now().toISOString(), status, body, message, request };
    }
    return outcome;
  }

  function shown({ status, body, message }: Failure) {
    return { status, body: body === null ? null : redact(body, sink), message: redact(message, sink) };
  }

  function bury(row: LedgerJson, event: ForwardedEvent, attempts: number, failure: Failure) {
    changed = true;
    tally.add("dead");
    const { id, workspace_id, created_at } = row;
    const { input, output } = event;
    const sealed =
      input === null ? null : secrets.seal(JSON.stringify({ input, output, error: null }), contentPlace(id));
    dead.push({ id, workspace_id, created_at, died_at: now().toISOString(), attempts, answer: shown(failure), sealed });
  }

  /** Delivers events until all are, or the sink fails. @returns how many from the start are done with */
  async function deliver(steps: readonly { row: LedgerJson; event: ForwardedEvent }[]) {
    const first = await tryOnce(steps.map(({ event }) => event));
    if (first.outcome === "accepted") return { done: steps.length, failure: null };
    const looksCloser =
      first.outcome === "rejected" ||
      first.outcome === "too_large" ||
      (first.outcome === "erring" && (attempt + 1) % suspectEvery === 0);
    if (!looksCloser) return { done: 0, failure: first };
    let known: Outcome | null = first;
    const giveUpAlone = first.outcome === "rejected" && alive && attempt + 1 >= aloneTries;
    const found = await isolate(
      steps,
      async (some) => {
        // The whole group was just tried.
        const outcome = known ?? (await tryOnce(some.map(({ event }) => event)));
        known = null;
        return outcome;
      },
      {
        giveUpAlone,
        // The longer it lasts, the longer a run of poison is looked for; a sink that is wholly broken is asked as seldom.
        mostInARow: first.outcome === "rejected" ? firstRun * 2 ** Math.min(attempt, longestRunTries) : firstRun,
        // What errs for a moment is waited for by its session. What goes on erring is proved by whoever there is.
        ...(attempt + 1 < ownSessionTries ? { sessionOf: ({ event }) => event.sessionId } : {}),
      },
    );
    for (const { event, attempts, failure } of found.poisoned) {
      bury(event.row, event.event, giveUpAlone ? attempt + 1 : attempts, failure);
      if (giveUpAlone) alive = false;
    }
    return found;
  }

  async function failed(failure: Failure): Promise<void> {
    attempt += 1;
    const waitMs = backoffMs(attempt, failure.afterMs, parts.random());
    nextTryAt = new Date(now().getTime() + waitMs);
    changed = true;
    await sleep(waitMs, undefined, { signal }).catch(() => {});
  }

  async function decideAll(page: Page): Promise<Step[]> {
    const calls = wantsBodies ? await page.whole() : page.bare();
    return calls.map(({ event, characters }, index) => ({
      row: page.rows[index] as LedgerJson,
      fate: decide(event) as Step["fate"],
      size: 2_000 + 2 * characters,
    }));
  }

  function pass(step: Step) {
    if (step.fate.fate === "filtered") tally.add("filtered");
    else if (step.fate.fate === "sampled_out") tally.add("sampled_out");
    else if (step.fate.fate === "not_in_allowlist") tally.add("not_allowed");
    place = placeOf(step.row);
    changed = true;
  }

  /** Goes through a page. @returns false when the sink failed: the rest is to be read again */
  async function deliverPage(page: Page): Promise<boolean> {
    const steps = await decideAll(page);
    let at = 0;
    while (at < steps.length && !signal.aborted && parts.held()) {
      const batch: { index: number; row: LedgerJson; event: ForwardedEvent }[] = [];
      let bytes = 0;
      let end = at;
      for (; end < steps.length; end += 1) {
        const { row, fate, size } = steps[end] as Step;
        if (fate.fate !== "forwarded") continue;
        if (batch.length > 0 && (batch.length >= format.most.events || bytes + size > format.most.bytes)) break;
        batch.push({ index: end, row, event: fate.event });
        bytes += size;
      }
      if (batch.length > 0) {
        const { done, failure } = await deliver(batch);
        if (failure !== null) {
          for (const step of steps.slice(at, batch[done]?.index ?? end)) pass(step);
          await failed(failure);
          return false;
        }
      }
      for (const step of steps.slice(at, end)) pass(step);
      at = end;
    }
    return at >= steps.length;
  }

  /** Tries dead letters again, one by one; each that fails is dead once more. */
  async function deliverReplays(): Promise<void> {
    replays = false;
    const rows = await books.replays(claimed.id);
    const began = performance.now();
    for (const [index, row] of rows.entries()) {
      if (signal.aborted || !parts.held()) return;
      // Tried a moment ago, and not written down yet.
      if (retried.has(row.id)) continue;
      // What is new goes between them: a long replay at a slow sink holds it up by one call at a time.
      if (index > 0 && performance.now() - began > replayMs) {
        replays = true;
        return;
      }
      retried.add(row.id);
      const body = row.sealed === null ? null : bodyIn(secrets.open(row.sealed, contentPlace(row.id)));
      const fate = decideAgain(eventOf(row, body));
      const outcome = await tryOnce([fate]);
      if (outcome.outcome === "accepted") risen.push(row.id);
      else if (outcome.outcome === "sick") {
        retried.delete(row.id);
        replays = true;
        return await failed(outcome);
      } else bury(row, fate, 1, outcome);
    }
    replays ||= rows.length === 100;
  }

  /** What goes to the sink of an event that was let through before: only privacy is asked again. */
  function decideAgain(event: ForwardedEvent): ForwardedEvent {
    const anyway = compilePipeline({ ...settings, apiKeyHashes: null, filterRules: null, samplingRate: 1 });
    const fate = anyway(event);
    return fate.fate === "forwarded" ? fate.event : event;
  }

  async function run(): Promise<void> {
    await books.noteSettings(claimed.id, place, settings);
    let lastLook = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      if (!parts.held()) {
        await pause(gatherMs);
        continue;
      }
      if (replays) await deliverReplays();
      const sinceLast = performance.now() - lastLook;
      if (sinceLast < gatherMs) await sleep(gatherMs - sinceLast, undefined, { signal }).catch(() => {});
      woken = false;
      const page = await pages.after(claimed.workspace_id, place);
      lastLook = page.full ? Number.NEGATIVE_INFINITY : performance.now();
      if (page.rows.length === 0) {
        await pause(parts.pollMs);
        continue;
      }
      // The next page is read while this one is sent.
      const last = page.rows.at(-1);
      if (page.full && last !== undefined) void pages.after(claimed.workspace_id, placeOf(last)).catch(() => {});
      await deliverPage(page);
    }
  }

  async function keepRunning(): Promise<void> {
    while (!signal.aborted) {
      try {
        await run();
      } catch (error) {
        if (signal.aborted) return;
        // The store does not answer, or a body cannot be opened: the ledger is still there, so it is tried again.
        lastError = {
          at: now().toISOString(),
          status: null,
          body: null,
          message: `the ledger could not be read: ${error instanceof Error ? error.name : "unknown"}`,
          request: null,
        };
        changed = true;
        await sleep(1_000, undefined, { signal }).catch(() => {});
      }
    }
  }

  const running = keepRunning();
  return {
    version: claimed.version,
    epoch: claimed.epoch,
    wake(again) {
      if (again) {
        replays = true;
        retried.clear();
      }
      woken = true;
      wakeUp?.();
    },
    progress() {
      if (!changed) return null;
      changed = false;
      const taken: Progress = {
        destination_id: claimed.id,
        epoch: claimed.epoch,
        xact: place.xact,
        seq: place.seq,
        attempt,
        next_try_at: nextTryAt?.toISOString() ?? null,
        failing_since: failingSince?.toISOString() ?? null,
        last_success_at: lastSuccessAt?.toISOString() ?? null,
        last_error: lastError,
        minutes: tally.take(),
        errors: tally.takeErrors(),
        dead,
        risen,
      };
      lastError = null;
      dead = [];
      risen = [];
      return taken;
    },
    async stop() {
      ending.abort();
      await running;
    },
  };
}
