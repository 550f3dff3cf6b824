import { minuteMs } from "#contract/time.ts";
import { ageMs, useNow } from "../api/clock.ts";
import { formatAgo } from "../format.ts";

/**
 * "Updated 12 s ago", counting: every second in the first minute, then twice a minute. Not announced.
 * @param at when the data was read, in milliseconds; 0 for not yet
 */
export function UpdatedAgo({ at }: { at: number }) {
  const age = ageMs(at);
  useNow(age < minuteMs ? 1_000 : 30_000);
  if (at === 0) return null;
  return (
    <span className="text-12 text-fg-3 whitespace-nowrap tabular-nums">
      Updated {formatAgo(new Date(at), "UTC", new Date(at + age))}
    </span>
  );
}
