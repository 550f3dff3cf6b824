import type { Store } from "../../storage/store.ts";
import type { BodyCapture } from "../bodies/capture.ts";
import type { Balances } from "./balance.ts";

/** What the ledger and its parts are made with. */
export interface LedgerSettings {
  readonly store: Store;
  readonly now: () => Date;
  readonly balances: Balances;
  readonly processId: string;
  /** false while the store is known to be unavailable */
  readonly reachable: () => boolean;
  /** called after each commit */
  readonly committed?: () => void;
  /** seals bodies; without it none are kept */
  readonly pack?: BodyCapture["pack"];
}
