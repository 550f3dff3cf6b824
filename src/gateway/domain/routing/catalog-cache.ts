import type { Deps } from "../context.ts";
import type { Catalog } from "./catalog.ts";
import { readCatalog } from "./catalog-read.ts";

/** The catalog that this process serves from. One per process. */
export interface CatalogCache {
  /** the last known catalog, without waiting; refreshed in the background when it is old */
  current(deps: Deps): Catalog;
  /** reads the store again; `current` has the result when this resolves */
  reload(deps: Deps): Promise<void>;
  /** call after a committed change: reloads here and tells the others */
  changed(deps: Deps): Promise<void>;
  /** reads it for the first time, and listens for changes from then on */
  start(deps: Deps): Promise<void>;
}

const empty: Catalog = { providers: [], offers: new Map(), byok: new Map() };
const channel = "gatehouse_catalog";
/** How long a missed change can go unnoticed. */
const freshMs = 5_000;

export function createCatalogCache(): CatalogCache {
  let catalog = empty;
  let readAt = 0;
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;

  let begun = 0;
  let shown = 0;

  async function read(deps: Deps): Promise<void> {
    begun += 1;
    const turn = begun;
    const next = await readCatalog(deps);
    // Of two overlapping reads, the one that began later may end first.
    if (turn < shown) return;
    shown = turn;
    catalog = next;
    readAt = deps.now().getTime();
  }

  function start(deps: Deps): Promise<void> {
    running = read(deps).finally(() => {
      running = null;
    });
    return running;
  }

  /** A read in progress may miss a change: callers that arrive meanwhile wait for one more read. */
  function reload(deps: Deps): Promise<void> {
    if (running === null) return start(deps);
    queued ??= running
      .catch(() => {})
      .then(() => {
        queued = null;
        return start(deps);
      });
    return queued;
  }

  return {
    current(deps) {
      const now = deps.now().getTime();
      if (deps.store.engine === "postgres" && Math.abs(now - readAt) >= freshMs && running === null) {
        readAt = now;
        // While the store is unavailable, the last known catalog keeps serving.
        reload(deps).catch(() => {});
      }
      return catalog;
    },
    reload,
    async changed(deps) {
      await reload(deps);
      await deps.store.notices.send(channel, "");
    },
    async start(deps) {
      deps.store.notices.listen(channel, () => void reload(deps).catch(() => {}));
      await reload(deps);
    },
  };
}
