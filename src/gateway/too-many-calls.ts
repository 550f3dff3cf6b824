import { Refusal, type RefusalDetails } from "./domain/refusal.ts";

/** What is told where calls are counted by the reason of their refusal. */
export const tooManyCalls = "too_many_calls";

/** There is as much in flight as there may be: nothing was read, reserved or sent. */
export class TooManyCalls extends Refusal {
  constructor(message: string, details: RefusalDetails = {}) {
    super("unavailable", `${message}: try again`, { ...details, retryAfterSeconds: 2, reason: tooManyCalls });
  }
}
