import type { Deps } from "./context.ts";

/** What this process knows of the store by id, as calls need it. */
export interface ReadThrough<T> {
  /** reads the store where nothing is known, or where what is known is old; calls at the same time share one read */
  of(deps: Deps, id: string, read: () => Promise<T>): Promise<T>;
  /** drops what this process knows, and tells the others; call it after a committed change */
  changed(deps: Deps): Promise<void>;
  watch(deps: Deps): void;
}

interface Known<T> {
  readonly value: T;
  readonly readAt: number;
}

/** How long a missed change can go unnoticed. */
const freshMs = 5_000;

/** @param channel on which processes tell each other of changes @param most how many ids are known at a time */
export function createReadThrough<T>(channel: string, most: number): ReadThrough<T> {
  const known = new Map<string, Known<T>>();
  const reading = new Map<string, Promise<T>>();
  let changes = 0;

  async function readNow(deps: Deps, id: string, read: () => Promise<T>): Promise<T> {
    // A read that began before a change must not be known after it.
    const before = changes;
    const readAt = deps.now().getTime();
    try {
      const value = await read();
      if (before === changes) remember(id, { value, readAt });
      return value;
    } finally {
      if (before === changes) reading.delete(id);
    }
  }

  function remember(id: string, one: Known<T>): void {
    known.delete(id);
    if (known.size >= most) known.delete(known.keys().next().value ?? "");
    known.set(id, one);
  }

  function forget() {
    changes += 1;
    known.clear();
    reading.clear();
  }

  return {
    async of(deps, id, read) {
      const found = known.get(id);
      if (found !== undefined && isFresh(deps, found.readAt)) return found.value;
      const running = reading.get(id) ?? readNow(deps, id, read);
      reading.set(id, running);
      try {
        return await running;
      } catch (error) {
        // While the store is unavailable, what was last read still holds.
        if (found !== undefined) return found.value;
        throw error;
      }
    },
    async changed(deps) {
      forget();
      await deps.store.notices.send(channel, "");
    },
    watch(deps) {
      deps.store.notices.listen(channel, forget);
    },
  };
}

/** With the embedded store there is no other process whose change could be missed. */
function isFresh({ store, now }: Deps, readAt: number): boolean {
  return store.engine === "embedded" || Math.abs(now().getTime() - readAt) < freshMs;
}
