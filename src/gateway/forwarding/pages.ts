import { setTimeout as sleep } from "node:timers/promises";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { eventOf, type LedgerJson } from "../domain/forwarded-events.ts";
import { bodyIn, readBodies } from "../domain/kept-bodies.ts";
import type { SecretBox } from "../domain/secret-box.ts";
import type { Books } from "./books.ts";
import type { Place } from "./place.ts";

/** A call, and how large its bodies are. */
export interface Whole {
  readonly event: ForwardedEvent;
  readonly characters: number;
}

/** A piece of a workspace's ledger. */
export interface Page {
  readonly rows: readonly LedgerJson[];
  /** true: there may be more right behind it */
  readonly full: boolean;
  /** the calls without their bodies, one for each row */
  bare(): readonly Whole[];
  /** the calls with whatever bodies are kept; fewer than there are rows where these are large */
  whole(): Promise<readonly Whole[]>;
}

export interface Pages {
  /** Destinations that are at the same place share what is read. */
  after(workspaceId: string, place: Place): Promise<Page>;
}

const mostRows = 256;
/** Bodies that are read for one page, sealed. */
const mostBodyBytes = 4_000_000;
const remembered = 4;

/** While calls keep the process busy, reading takes no more than one part in so many of the time. */
const politeness = 50;
const longestPauseMs = 1_000;

/** @param busy whether calls keep the process busy right now */
export function createPages(books: Books, secrets: SecretBox, busy: () => boolean): Pages {
  const recent = new Map<string, Promise<Page>>();
  let nextRead = Number.NEGATIVE_INFINITY;

  async function read(workspaceId: string, place: Place): Promise<Page> {
    // The ledger keeps what is not read yet, so callers go first.
    while (busy() && performance.now() < nextRead) await sleep(10);
    const began = performance.now();
    const rows = await books.page(workspaceId, place, mostRows);
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
    const { bodies, examined } = await readBodies(books.query, secrets, rows, mostBodyBytes);
    return rows.slice(0, examined).map((row) => {
      const json = bodies.get(row.id);
      return { event: eventOf(row, bodyIn(json)), characters: json?.length ?? 0 };
    });
  }

  return {
    async after(workspaceId, place) {
      const key = `${workspaceId} ${place.xact} ${place.seq}`;
      const known = recent.get(key);
      if (known !== undefined) return await known;
      const reading = read(workspaceId, place);
      recent.set(key, reading);
      try {
        const page = await reading;
        // What comes next is asked for again; an end is not remembered.
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
