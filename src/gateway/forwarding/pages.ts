import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { eventOf, type KeptBody, type LedgerJson } from "../domain/forwarded-events.ts";
import { contentPlace } from "../domain/generations.ts";
import type { SecretBox } from "../domain/secret-box.ts";
import type { Books } from "./books.ts";
import type { Place } from "./place.ts";

/** A piece of a workspace's ledger. */
export interface Page {
  readonly rows: readonly LedgerJson[];
  /** true: there may be more right behind it */
  readonly full: boolean;
  /** the calls without their bodies, one for each row */
  bare(): readonly ForwardedEvent[];
  /** the calls with whatever bodies are kept */
  whole(): Promise<readonly ForwardedEvent[]>;
}

export interface Pages {
  /** Destinations that are at the same place share what is read. */
  after(workspaceId: string, place: Place): Promise<Page>;
}

const mostRows = 512;
/** Bodies of one page, sealed; the page is cut where they would be more. */
const mostBodyBytes = 4_000_000;
const remembered = 6;

export function createPages(books: Books, secrets: SecretBox): Pages {
  const recent = new Map<string, Promise<Page>>();

  async function read(workspaceId: string, place: Place): Promise<Page> {
    const found = await books.page(workspaceId, place, mostRows);
    const rows = withinBytes(found);
    let bare: readonly ForwardedEvent[] | null = null;
    let whole: Promise<readonly ForwardedEvent[]> | null = null;
    const plain = () => (bare ??= rows.map((row) => eventOf(row, null)));
    return {
      rows,
      full: found.length === mostRows || rows.length < found.length,
      bare: plain,
      whole: () => (whole ??= withBodies(workspaceId, rows, plain())),
    };
  }

  async function withBodies(workspaceId: string, rows: readonly LedgerJson[], bare: readonly ForwardedEvent[]) {
    const kept = rows.filter((row) => row.body_bytes !== null);
    if (kept.length === 0) return bare;
    const sealed = await books.bodies(
      workspaceId,
      kept.map(({ created_at, id }) => ({ created_at, id })),
    );
    const bodies = new Map(sealed.map((each) => [each.id, openBody(secrets, each.id, each.sealed)]));
    return rows.map((row) => eventOf(row, bodies.get(row.id) ?? null));
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

export function openBody(secrets: Pick<SecretBox, "open">, id: string, sealed: string): KeptBody {
  return JSON.parse(secrets.open(sealed, contentPlace(id))) as KeptBody;
}

function withinBytes(rows: readonly LedgerJson[]): readonly LedgerJson[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => (bytes += row.body_bytes ?? 0) > mostBodyBytes && index > 0);
  return end === -1 ? rows : rows.slice(0, end);
}
