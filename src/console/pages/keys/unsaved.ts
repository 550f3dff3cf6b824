import * as z from "zod/mini";
import { KeyHash } from "#contract/keys.ts";

const slot = "gatehouse.unsaved-key";

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;
const Note = z.object({ hash: KeyHash });

/** Remembers, for this tab, that a key is on screen and not yet saved. Holds the hash and nothing else. */
export function noteUnsaved(store: Store, hash: string): void {
  try {
    store.setItem(slot, JSON.stringify({ hash }));
  } catch {
    // without storage there is no notice after a reload; the key itself is not affected
  }
}

export function forgetUnsaved(store: Store): void {
  store.removeItem(slot);
}

/** The hash of a key whose dialog a reload cut short, or null. */
export function readUnsaved(store: Store): string | null {
  try {
    const note = z.safeParse(Note, JSON.parse(store.getItem(slot) ?? "null"));
    return note.success ? note.data.hash : null;
  } catch {
    return null;
  }
}
