import type { Reservation } from "../domain/ledger/reservations.ts";

/** What a model call of any kind has from its reservation to its settlement. */
export interface ReservedCall {
  /** corrects the rates by the tokens that were used */
  readonly countTokens: (tokens: number) => void;
  readonly reservation: Reservation;
  /** whether the workspace logs the bodies */
  readonly logsBody: boolean;
}
