/** Awaited between two parts of a long work: says how far it is (0 to 1), and lets in what else was asked. */
export type Pause = (share?: number) => Promise<void>;

/** What a work ends with that was cancelled. */
export class CancelledError extends Error {
  constructor() {
    super("The work was cancelled.");
  }
}

/** So long a work keeps the worker to itself. */
const turnMs = 40;

/**
 * The pauses of one work.
 * @param isCancelled looked at after each pause: the request to cancel is one of the messages that it lets in
 */
export function takeTurns(tell: (share: number) => void, isCancelled: () => boolean): Pause {
  let began = performance.now();
  return async (share) => {
    if (performance.now() - began < turnMs) return;
    if (share !== undefined) tell(share);
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (isCancelled()) throw new CancelledError();
    began = performance.now();
  };
}
