import { setTimeout as sleep } from "node:timers/promises";
import type { SecretBox } from "../domain/secret-box.ts";
import { claimMs, createBooks, type Progress, type Query } from "./books.ts";
import { type Lane, type LaneParts, openLane } from "./lane.ts";
import { createPages } from "./pages.ts";
import type { Send } from "./transport.ts";

export interface ForwarderParts {
  readonly query: Query;
  readonly send: Send;
  readonly secrets: SecretBox;
  readonly now: () => Date;
  readonly random: () => number;
  readonly processId: string;
  /** true where no other process can be at the store: what a dead one had claimed is taken at once */
  readonly alone: boolean;
  readonly log: (level: "warn" | "error", message: string, details: object) => void;
}

export interface Forwarder {
  /** the ledger has grown */
  wake(): void;
  /** whether calls keep the process busy: then forwarding holds back */
  pace(busy: boolean): void;
  /** destinations were changed, or dead letters are to be replayed */
  reload(): void;
  close(): Promise<void>;
}

/** Claims are renewed, and changed destinations looked for, this often. */
const claimEveryMs = 1_500;
/** Progress is written down this often; what was sent since is sent again after a crash. */
const saveEveryMs = 200;
const saveEveryWhenBusyMs = 1_000;

/** Forwards the ledger to every destination that no other process forwards to. */
export function startForwarder(parts: ForwarderParts): Forwarder {
  const books = createBooks(parts.query, parts.processId);
  let busy = false;
  const pages = createPages(books, parts.secrets, () => busy);
  const lanes = new Map<string, Lane>();
  const ending = new AbortController();
  const { signal } = ending;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let hurry: (() => void) | null = null;
  let hurried = false;
  let troubled = false;

  const laneParts: LaneParts = {
    books,
    pages,
    send: parts.send,
    secrets: parts.secrets,
    now: parts.now,
    random: parts.random,
    held: () => performance.now() < heldUntil,
    // Where another process may write to the ledger, nobody tells of it.
    pollMs: parts.alone ? 1_000 : 250,
  };

  async function claim(): Promise<void> {
    const asked = performance.now();
    const claimed = await books.claim(parts.alone);
    heldUntil = asked + claimMs - 1_000;
    const ids = new Set(claimed.map(({ id }) => id));
    for (const [id, lane] of lanes) if (!ids.has(id)) await end(id, lane);
    for (const row of claimed) {
      const lane = lanes.get(row.id);
      if (lane !== undefined && lane.version === row.version && lane.epoch === row.epoch) {
        if (row.replays > 0) lane.wake(true);
        continue;
      }
      if (lane !== undefined) {
        // Where it has come to is not written down yet, and the row that was read is older than that.
        await end(row.id, lane);
        hurried = true;
        continue;
      }
      try {
        lanes.set(row.id, openLane(laneParts, row));
      } catch (error) {
        parts.log("error", "a destination cannot be forwarded to", { destination: row.id, reason: nameOf(error) });
      }
    }
  }

  async function end(id: string, lane: Lane): Promise<void> {
    lanes.delete(id);
    await lane.stop();
    const progress = lane.progress();
    if (progress !== null) await books.save([progress]);
  }

  async function save(): Promise<void> {
    const progress = [...lanes.values()].flatMap((lane) => lane.progress() ?? []);
    if (progress.length === 0) return;
    const still = new Set(await persisting(() => books.save(progress).catch(withoutWords(progress))));
    for (const { destination_id } of progress) {
      const lane = lanes.get(destination_id);
      if (still.has(destination_id) || lane === undefined) continue;
      lanes.delete(destination_id);
      await lane.stop();
      reload();
    }
  }

  /** Counts and dead letters that were taken must not be lost, so their statement is repeated until it passes. */
  async function persisting<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) throw error;
        note(error);
        await sleep(500, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Where the store objects to what a sink said, the progress is written down without it. */
  function withoutWords(progress: readonly Progress[]) {
    return async (error: unknown) => {
      if (!(error instanceof Error && "code" in error && String(error.code).startsWith("22"))) throw error;
      note(error);
      return await books.save(progress.map(wordless));
    };
  }

  function note(error: unknown) {
    if (!troubled) parts.log("warn", "forwarding cannot reach the store", { reason: nameOf(error) });
    troubled = true;
  }

  function reload() {
    hurried = true;
    hurry?.();
  }

  async function claiming(): Promise<void> {
    while (!signal.aborted) {
      hurried = false;
      await claim().then(() => (troubled = false), note);
      if (hurried) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, claimEveryMs);
        function done() {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          hurry = null;
          resolve();
        }
        hurry = done;
        signal.addEventListener("abort", done, { once: true });
      });
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
      for (const lane of lanes.values()) lane.wake(false);
    },
    pace: (now) => void (busy = now),
    reload,
    async close() {
      ending.abort();
      await running;
      await Promise.all([...lanes.values()].map((lane) => lane.stop()));
      const last: Progress[] = [...lanes.values()].flatMap((lane) => lane.progress() ?? []);
      // What cannot be written down now is sent again by whoever comes next.
      if (last.length > 0) await books.save(last).catch(note);
      await books.release().catch(note);
    },
  };
}

function wordless(progress: Progress): Progress {
  const answer = { status: null, body: null, message: "what the destination said could not be kept" };
  return { ...progress, last_error: null, errors: [], dead: progress.dead.map((burial) => ({ ...burial, answer })) };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}${"code" in error ? ` ${String(error.code)}` : ""}` : "unknown";
}
