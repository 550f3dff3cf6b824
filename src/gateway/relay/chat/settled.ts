import type { Settlement } from "../../domain/ledger/ledger.ts";
import type { Usage } from "../../providers/provider.ts";

/** What a chat call was charged, and what for. */
export interface SettledChat {
  readonly settlement: Settlement;
  /** in the public form, with the cost */
  readonly usage: Record<string, unknown>;
  readonly used: Usage;
}
