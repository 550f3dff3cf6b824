import { minuteMs, startOfUtcHour } from "#contract/time.ts";
import { storedText } from "../domain/stored-text.ts";
import type { Counts, FailedTries } from "../domain/destinations/cursor-store.ts";

/**
 * How many different errors are counted between two writes, and how much of each is kept: a message can be anything.
 */
const mostErrors = 20;
const longestError = 200;

/** Counts what happens at a destination, by minute, until the counts are taken to be recorded. */
export function createCounters(now: () => Date) {
  let minutes = new Map<number, Counts>();
  let errors = new Map<string, FailedTries>();
  return {
    /** Counts a failed attempt under its message. @param message without secrets */
    failed(message: string) {
      this.add("failed");
      const at = now();
      const hour = startOfUtcHour(at).toISOString();
      const said = storedText(message, longestError);
      const known = errors.get(hour + said);
      if (known !== undefined) errors.set(hour + said, { ...known, count: known.count + 1, last_at: at.toISOString() });
      else if (errors.size < mostErrors) {
        errors.set(hour + said, { hour, message: said, count: 1, last_at: at.toISOString() });
      }
    },
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
    takeErrors() {
      const taken = [...errors.values()];
      errors = new Map();
      return taken;
    },
  };
}
