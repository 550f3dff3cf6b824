import { setTimeout as sleep } from "node:timers/promises";
import type { Claimed, CursorStore, Progress } from "../domain/destinations/cursor-store.ts";
import { settingColumns } from "../domain/destinations/settings.ts";
import { positionOf } from "../domain/destinations/position.ts";
import { createPageDelivery } from "./deliver-page.ts";
import type { LedgerReader } from "./ledger-reader.ts";
import { createPause } from "./pause.ts";
import { Replays } from "./replays.ts";
import { Sender, type SenderDeps } from "./sender.ts";

export interface DeliveryDeps extends SenderDeps {
  readonly cursors: CursorStore;
  readonly ledgerReader: LedgerReader;
  /** how long to wait for the ledger to grow before checking again, milliseconds */
  readonly pollMs: number;
}

/** The delivery to one destination: one batch after another, from its ledger position on. */
export interface Delivery {
  /** whether it goes on under this row: nothing that decides what is sent, where to and from where on has changed */
  serves(row: Claimed): boolean;
  /** the ledger has grown, or dead letters are to be retried */
  wake(replays: boolean): void;
  /** What happened since the last time; null: nothing. */
  progress(): Progress | null;
  /**
   * Ends it: nothing more is sent. The request under way is waited for, since it would be sent again, but not for long.
   * @param cut aborts when that is cut off at once
   */
  stop(cut: AbortSignal): Promise<void>;
}

/** The pause between two ledger reads while calls keep coming, so that they travel together. */
const gatherMs = 100;
/** How long a request under way is waited for. */
const graceMs = 10_000;

/** @throws when the destination's stored settings cannot be used */
export function startDelivery(deps: DeliveryDeps, claimed: Claimed): Delivery {
  const { cursors, ledgerReader } = deps;
  const { workspace_id: workspaceId } = claimed;
  const sent = sentBy(claimed);
  const [ending, cutting] = [new AbortController(), new AbortController()];
  const { signal } = ending;
  const pause = createPause(signal);
  const sender = new Sender(deps, claimed, { ending: signal, cutting: cutting.signal });
  const replays = new Replays(deps, sender, claimed.replays > 0);
  const deliverPage = createPageDelivery(sender);

  async function run(): Promise<void> {
    await cursors.noteSettings(sender.id, sender.position, sender.settings);
    let lastRead = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      if (!deps.held()) {
        await pause.wait(gatherMs);
        continue;
      }
      if (replays.due) await replays.deliver();
      const sinceLast = performance.now() - lastRead;
      if (sinceLast < gatherMs) await sleep(gatherMs - sinceLast, undefined, { signal }).catch(() => {});
      pause.clear();
      const page = await ledgerReader.after(workspaceId, sender.position);
      lastRead = page.full ? Number.NEGATIVE_INFINITY : performance.now();
      if (page.rows.length === 0) {
        await pause.wait(deps.pollMs);
        continue;
      }
      // The next page is read while this one is sent.
      const last = page.rows.at(-1);
      if (page.full && last !== undefined) void ledgerReader.after(workspaceId, positionOf(last)).catch(() => {});
      await deliverPage(page);
    }
  }

  async function keepRunning(): Promise<void> {
    while (!signal.aborted) {
      try {
        await run();
      } catch (error) {
        if (signal.aborted) return;
        // The ledger is still there, so retry.
        sender.noteUnreadable(error);
        await sleep(1_000, undefined, { signal }).catch(() => {});
      }
    }
  }

  const running = keepRunning();
  return {
    serves: (row) => sentBy(row) === sent,
    wake(again) {
      if (again) replays.request();
      pause.wake();
    },
    progress: () => sender.take(),
    async stop(cut) {
      ending.abort();
      const cutOff = () => cutting.abort();
      const timer = setTimeout(cutOff, graceMs);
      cut.addEventListener("abort", cutOff);
      if (cut.aborted) cutOff();
      await running;
      clearTimeout(timer);
      cut.removeEventListener("abort", cutOff);
    },
  };
}

/** All of a destination's settings but its name. */
function sentBy(row: Claimed): string {
  return JSON.stringify([row.epoch, row.config, settingColumns.map((column) => column !== "name" && row[column])]);
}
