/** Callers who wait until something changes, each with a deadline of `performance.now()`. */
export interface Waiters {
  /** Resolves at the next `wake`, or at the deadline. In the order of coming. */
  wait(deadline: number): Promise<void>;
  /** Lets everyone look again. */
  wake(): void;
}

export function createWaiters(): Waiters {
  let waiting = new Set<() => void>();
  return {
    wait(deadline) {
      return new Promise((resolve) => {
        const leave = () => {
          clearTimeout(timer);
          waiting.delete(leave);
          resolve();
        };
        const timer = setTimeout(leave, Math.max(0, deadline - performance.now()));
        waiting.add(leave);
      });
    },
    wake() {
      if (waiting.size === 0) return;
      const leaving = waiting;
      waiting = new Set();
      for (const leave of leaving) leave();
    },
  };
}
