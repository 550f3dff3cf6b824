import * as z from "zod/mini";
import { KeyHash } from "#contract/keys.ts";

/** Each kind is reported on its own page. */
export type UnsavedKind = "api-key" | "management-key";

const slotOf = { "api-key": "gatehouse.unsaved-key", "management-key": "gatehouse.unsaved-management-key" } as const;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;
const Note = z.object({ hash: KeyHash });

/** Remembers, for this tab, that a key is on screen and not yet saved. Holds the hash and nothing else. */
export function noteUnsaved(store: Store, hash: string, kind: UnsavedKind): void {
  try {
    store.setItem(slotOf[kind], JSON.stringify({ hash }));
  } catch {
    // without storage there is no notice after a reload; the key itself is not affected
  }
}

export function forgetUnsaved(store: Store, kind: UnsavedKind): void {
  store.removeItem(slotOf[kind]);
}

/** The hash of a key whose dialog a reload cut short, or null. */
export function readUnsaved(store: Store, kind: UnsavedKind): string | null {
  try {
    const note = z.safeParse(Note, JSON.parse(store.getItem(slotOf[kind]) ?? "null"));
    return note.success ? note.data.hash : null;
  } catch {
    return null;
  }
}
