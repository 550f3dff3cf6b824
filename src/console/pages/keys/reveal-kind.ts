import type { ReactNode } from "react";
import type { deleteKey } from "#contract/keys.ts";
import type { deleteManagementKey } from "#contract/management-keys.ts";
import type { KeyVariable } from "./env-file.ts";
import type { Made, ShownOnce } from "./make-key.ts";
import type { UnsavedKind } from "./unsaved.ts";

/** In what the once-only views of the two kinds of key differ. */
export interface RevealKind<Record extends ShownOnce> {
  unsaved: UnsavedKind;
  variable: KeyVariable;
  /** deletes a key that was never saved */
  remove: typeof deleteKey | typeof deleteManagementKey;
  details: (made: Made<Record>) => ReactNode;
  /** hears of the key that is on screen; null once it is deleted again */
  onShown?: (hash: string | null) => void;
}
