import type { Counts } from "./books.ts";

const minuteMs = 60_000;

/** Counts what happens at a destination, by minute, until it is taken to be written down. */
export function createTally(now: () => Date) {
  let minutes = new Map<number, Counts>();
  return {
    add(what: keyof Counts, count = 1) {
      if (count === 0) return;
      const minute = Math.floor(now().getTime() / minuteMs) * minuteMs;
      let counts = minutes.get(minute);
      if (counts === undefined) {
        counts = { delivered: 0, failed: 0, filtered: 0, sampled_out: 0, not_allowed: 0, dead: 0 };
        minutes.set(minute, counts);
      }
      counts[what] += count;
    },
    take() {
      const taken = [...minutes].map(([minute, counts]) => ({ minute: new Date(minute).toISOString(), ...counts }));
      minutes = new Map();
      return taken;
    },
  };
}
