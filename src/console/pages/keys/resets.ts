import { nextReset, type LimitReset } from "#contract/time.ts";
import { formatDay, formatDuration } from "../../format.ts";

/** `00:00 UTC`, `Mon 00:00 UTC`, `1 Dec 00:00 UTC`: the reset as a clock in UTC shows it. */
export function resetMoment(reset: LimitReset, now: Date): string {
  if (reset === "daily") return "00:00 UTC";
  return reset === "weekly" ? "Mon 00:00 UTC" : `${formatDay(nextReset(reset, now), "UTC", now)} 00:00 UTC`;
}

/** The second line of a limit: `resets in 2 d 6 h (Mon 00:00 UTC)`. */
export function resetLine(reset: LimitReset | null, now: Date): string {
  if (reset === null) return "does not reset";
  return `resets in ${formatDuration(nextReset(reset, now).getTime() - now.getTime())} (${resetMoment(reset, now)})`;
}
