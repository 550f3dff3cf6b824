import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../domain/burst-log.ts";
import { type SecretBox, WrongSecretKey } from "../domain/secrets/box.ts";
import {
  claimMs,
  type Claimed,
  type CursorStore,
  createCursorStore,
  type Progress,
  type Query,
} from "../domain/destinations/cursor-store.ts";
import { type Delivery, type DeliveryDeps, startDelivery } from "./delivery.ts";
import { createFailingDestinations } from "./failing-destinations.ts";
import { createLedgerReader } from "./ledger-reader.ts";
import { createPause } from "./pause.ts";
import { createProgressRecorder } from "./progress-recorder.ts";
import type { Send } from "./transport.ts";

export interface ForwarderDeps {
  readonly query: Query;
  readonly send: Send;
  readonly secrets: SecretBox;
  readonly now: () => Date;
  readonly random: () => number;
  readonly processId: string;
  /** true if no other process can use the store: claims of a dead process are taken over at once */
  readonly alone: boolean;
  readonly log: Log;
  /** called with the number of failing destinations, whenever it changes */
  readonly failing: (count: number) => void;
}

export interface Forwarder {
  /** the ledger has grown */
  wake(): void;
  /** whether calls keep the process busy: then forwarding slows down */
  pace(busy: boolean): void;
  /** destinations were changed, or dead letters are to be replayed */
  reload(): void;
  close(): Promise<void>;
}

/** How often claims are renewed, and changed destinations are looked for. */
const claimEveryMs = 1_500;
/** The same where a claim was not renewed, since its row was locked. */
const claimAgainMs = 300;
/** How often progress is recorded; what was sent since then is sent again after a crash. */
const saveEveryMs = 200;
const saveEveryWhenBusyMs = 1_000;

/** Forwards the ledger to every destination that no other process forwards to. */
export function startForwarder(deps: ForwarderDeps): Forwarder {
  const { alone, log, processId, query, secrets } = deps;
  let busy = false;
  const cursors = createCursorStore(query, processId);
  const failing = createFailingDestinations(log, deps.failing);
  const deliveries = new Map<string, Delivery>();
  /** until when a destination is surely claimed, by `performance.now()` */
  const heldUntil = new Map<string, number>();
  const ending = new AbortController();
  const { signal } = ending;
  const pause = createPause(signal);
  const { note, reached } = createStoreNotes(log);
  const leaving = createLeaving(cursors, note, pause.wake);
  const progressRecorder = createProgressRecorder(cursors, note, signal);
  const deliveryDeps: Omit<DeliveryDeps, "held"> = {
    ...deps,
    cursors,
    ledgerReader: createLedgerReader(cursors, secrets, () => busy),
    report: failing.report,
    // Where another process may write to the ledger, there is no notification of it.
    pollMs: alone ? 1_000 : 250,
  };

  /** @returns when to claim again, milliseconds */
  async function claim(): Promise<number> {
    const asked = performance.now();
    // What is being given up when the rows are read may go on from a later place than its row says.
    const outdated = leaving.ids();
    const { claimed, kept } = await cursors.claim(alone);
    const own = new Set([...claimed.map((row) => row.id), ...kept]);
    for (const id of deliveries.keys()) if (!own.has(id)) end(id);
    leaving.release(own);
    failing.retain(own);
    for (const row of claimed) {
      heldUntil.set(row.id, asked + claimMs - 1_000);
      const delivery = deliveries.get(row.id);
      if (delivery === undefined) {
        if (!outdated.has(row.id) && !leaving.has(row.id)) await start(row);
      } else if (!delivery.serves(row)) end(row.id);
      else if (row.replays > 0) delivery.wake(true);
    }
    return kept.length > 0 ? claimAgainMs : claimEveryMs;
  }

  /** A destination with unusable settings fails until they are changed: its health and the log report it once. */
  async function start(row: Claimed): Promise<void> {
    if (failing.isUnusable(row)) return;
    const held = () => performance.now() < (heldUntil.get(row.id) ?? 0);
    try {
      deliveries.set(row.id, startDelivery({ ...deliveryDeps, held }, row));
      if (row.taken_over) log("info", "forwarding was taken over", { destination: row.id });
      failing.set(row.id, row.failing_since !== null);
    } catch (error) {
      const reason = nameOf(error);
      await cursors.save([unusableProgress(row, reason, deps.now().toISOString())]);
      failing.setUnusable(row, reason);
    }
  }

  /** Its progress may not be recorded yet: until it is, no row that is read says where to go on. */
  function end(id: string): void {
    const delivery = deliveries.get(id);
    deliveries.delete(id);
    heldUntil.delete(id);
    failing.set(id, false);
    leaving.end(id, async () => {
      await delivery?.stop(signal);
      const progress = delivery?.progress() ?? null;
      // With none, what was taken before may still be under way.
      await progressRecorder.record(progress === null ? [] : [progress]);
    });
  }

  const takeProgress = () => [...deliveries.values()].flatMap((delivery) => delivery.progress() ?? []);
  async function save(): Promise<void> {
    const progress = takeProgress();
    if (progress.length === 0) return;
    const still = await progressRecorder.record(progress);
    for (const { destination_id: id } of progress) {
      if (!still.has(id) && deliveries.has(id)) end(id);
    }
  }

  async function claiming(): Promise<void> {
    while (!signal.aborted) {
      pause.clear();
      const againMs = await claim().catch(note);
      if (againMs !== undefined) reached();
      await pause.wait(againMs ?? claimEveryMs);
    }
  }

  async function saving(): Promise<void> {
    while (!signal.aborted) {
      await sleep(busy ? saveEveryWhenBusyMs : saveEveryMs, undefined, { signal }).catch(() => {});
      await save().catch(note);
    }
  }

  const running = Promise.all([claiming(), saving()]);
  return {
    wake() {
      for (const delivery of deliveries.values()) delivery.wake(false);
    },
    pace: (now) => void (busy = now),
    reload: pause.wake,
    async close() {
      ending.abort();
      await running;
      await leaving.all();
      await Promise.all([...deliveries.values()].map((delivery) => delivery.stop(signal)));
      const last = takeProgress();
      // What cannot be recorded now is sent again by the next forwarder.
      if (last.length > 0) await cursors.save(last).catch(note);
      await cursors.release(null).catch(note);
      failing.close();
    },
  };
}

/**
 * Destinations that are being given up. Nobody else's claim waits for that: it may take as long as somebody locks the row.
 * @param left called whenever one is given up
 */
function createLeaving(cursors: CursorStore, note: (error: unknown) => void, left: () => void) {
  const leaving = new Map<string, Promise<void>>();
  /** those whose delivery ended, and that may still be claimed */
  const ended = new Set<string>();

  function begin(id: string, work: () => Promise<unknown>): void {
    const done = work()
      .catch(note)
      .then(() => {
        leaving.delete(id);
        left();
      });
    leaving.set(id, done);
  }

  return {
    has: (id: string) => leaving.has(id),
    ids: () => new Set(leaving.keys()),
    /** @param work ends the delivery, and records its progress */
    end: (id: string, work: () => Promise<unknown>) => begin(id, () => work().finally(() => ended.add(id))),
    /** Lets others claim those that ended, apart from those that this process has claimed again. */
    release(own: ReadonlySet<string>): void {
      for (const id of ended) if (!own.has(id)) begin(id, () => cursors.release(id));
      ended.clear();
    },
    all: () => Promise.all(leaving.values()),
  };
}

/** Logs the first of several failures in a row. */
function createStoreNotes(log: ForwarderDeps["log"]) {
  let troubled = false;
  return {
    note(error: unknown): void {
      if (!troubled) log("warn", "forwarding cannot reach the store", { reason: nameOf(error) });
      troubled = true;
    },
    reached: () => void (troubled = false),
  };
}

function unusableProgress(row: Claimed, reason: string, at: string): Progress {
  const message = `its stored settings cannot be used: ${reason}`;
  return {
    destination_id: row.id,
    epoch: row.epoch,
    xact: row.cursor_xact,
    seq: row.cursor_seq,
    attempt: row.attempt,
    next_try_at: null,
    failing_since: row.failing_since ?? at,
    last_success_at: null,
    last_error: { at, status: null, body: null, message, request: null },
    minutes: [],
    errors: [],
    dead: [],
    redelivered: [],
  };
}

function nameOf(error: unknown): string {
  if (error instanceof WrongSecretKey) return error.why;
  return error instanceof Error ? `${error.name}${"code" in error ? ` ${String(error.code)}` : ""}` : "unknown";
}
