import { setTimeout as sleep } from "node:timers/promises";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { eventOf, type LedgerJson } from "../domain/destinations/events.ts";
import { bodyIn, readBodies } from "../domain/bodies/store.ts";
import type { SecretBox } from "../domain/secrets/box.ts";
import type { CursorStore } from "../domain/destinations/cursor-store.ts";
import type { LedgerPosition } from "../domain/destinations/position.ts";

/** A call, and how large its bodies are. */
export interface Whole {
  readonly event: ForwardedEvent;
  readonly characters: number;
}

/** A piece of a workspace's ledger. */
export interface Page {
  readonly rows: readonly LedgerJson[];
  /** true: there may be more right after it */
  readonly full: boolean;
  /** the calls without their bodies, one for each row */
  bare(): readonly Whole[];
  /** the calls with their stored bodies; fewer than there are rows if the bodies are large */
  whole(): Promise<readonly Whole[]>;
}

export interface LedgerReader {
  /** Destinations that are at the same position share what is read. */
  after(workspaceId: string, position: LedgerPosition): Promise<Page>;
}

const mostRows = 256;
/** The most bytes of sealed bodies that are read for one page. */
const mostBodyBytes = 4_000_000;
const remembered = 4;

/** While calls keep the process busy, reading takes at most one part in this many of the time. */
const politeness = 50;
const longestPauseMs = 1_000;

/** @param busy whether calls keep the process busy right now */
export function createLedgerReader(cursors: CursorStore, secrets: SecretBox, busy: () => boolean): LedgerReader {
  const recent = new Map<string, Promise<Page>>();
  let nextRead = Number.NEGATIVE_INFINITY;

  async function read(workspaceId: string, position: LedgerPosition): Promise<Page> {
    // The ledger keeps what is not read yet, so callers go first.
    while (busy() && performance.now() < nextRead) await sleep(10);
    const began = performance.now();
    const rows = await cursors.page(workspaceId, position, mostRows);
    const now = performance.now();
    nextRead = now + Math.min((now - began) * (politeness - 1), longestPauseMs);
    let bare: readonly Whole[] | null = null;
    let whole: Promise<readonly Whole[]> | null = null;
    return {
      rows,
      full: rows.length === mostRows,
      bare: () => (bare ??= rows.map((row) => ({ event: eventOf(row, null), characters: 0 }))),
      whole: () => (whole ??= withBodies(rows)),
    };
  }

  async function withBodies(rows: readonly LedgerJson[]): Promise<readonly Whole[]> {
    const { bodies, examined } = await readBodies(cursors.query, secrets, rows, mostBodyBytes);
    return rows.slice(0, examined).map((row) => {
      const json = bodies.get(row.id);
      return { event: eventOf(row, bodyIn(json)), characters: json?.length ?? 0 };
    });
  }

  return {
    async after(workspaceId, position) {
      const key = `${workspaceId} ${position.xact} ${position.seq}`;
      const known = recent.get(key);
      if (known !== undefined) return await known;
      const reading = read(workspaceId, position);
      recent.set(key, reading);
      try {
        const page = await reading;
        // The next rows are read again; the end of the ledger is not cached.
        if (page.rows.length === 0) recent.delete(key);
        return page;
      } catch (error) {
        recent.delete(key);
        throw error;
      } finally {
        for (const oldest of recent.keys()) {
          if (recent.size <= remembered) break;
          recent.delete(oldest);
        }
      }
    },
  };
}
