/** Pauses that a wake-up ends early. */
export interface Pause {
  /** Resolves after this time, when woken, or when `signal` aborts; at once if it was woken since the last `clear`. */
  wait(ms: number): Promise<void>;
  wake(): void;
  /** Forgets the wake-ups so far: the work that begins now covers them. */
  clear(): void;
}

export function createPause(signal: AbortSignal): Pause {
  let woken = false;
  let resume: (() => void) | null = null;

  function untilWoken(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resume = null;
        resolve();
      }
      resume = done;
      signal.addEventListener("abort", done, { once: true });
    });
  }

  return {
    async wait(ms) {
      if (!woken && !signal.aborted) await untilWoken(ms);
      woken = false;
    },
    wake() {
      woken = true;
      resume?.();
    },
    clear() {
      woken = false;
    },
  };
}
