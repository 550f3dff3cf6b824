import type { LastsReason } from "#contract/lasts.ts";
import { formatClock, formatDay, formatRelative } from "../../format.ts";
import { dayMs } from "#contract/time.ts";

interface Lasting {
  lasts_until: string | null;
  lasts_reason: LastsReason;
}

/** "Lasts until" of a key or a budget: what a cell says, a second line where there is more, and why. */
export interface LastsWords {
  text: string;
  note: string | null;
  why: string;
  soon: boolean;
}

const soonMs = 7 * dayMs;

/** As docs/limits.md states the rule, which the server computes. `resetsAt` is when a spent limit is whole again. */
export function lastsWords({ lasts_until, lasts_reason }: Lasting, resetsAt: string | null, now: Date): LastsWords {
  const reset = resetsAt === null ? null : formatDay(new Date(resetsAt), "UTC", now);
  if (lasts_until !== null) {
    const at = new Date(lasts_until);
    const text = at.getTime() - now.getTime() < dayMs ? `${formatClock(at, "UTC")} UTC` : formatDay(at, "UTC", now);
    const when = formatRelative(at, now);
    const soon = at.getTime() - now.getTime() < soonMs;
    if (lasts_reason === "expiry") return { text, note: `expires ${when}`, why: "The key expires then.", soon };
    return { text, note: when, why: "At the pace of this period its limit is used up about then.", soon };
  }
  const plain = (words: string, why: string, note: string | null = null) => ({ text: words, note, why, soon: false });
  switch (lasts_reason) {
    case "spent":
      return { ...plain("Used up", "Its limit is spent.", reset === null ? null : `until ${reset}`), soon: true };
    case "not_at_this_pace":
      return plain(
        "Not at this pace",
        reset === null
          ? "At the pace of this week or month it lasts more than a year."
          : `At the pace of this period it is not used up before it resets on ${reset}.`,
      );
    case "too_early":
      return plain("Too early to say", "The period has only begun: there is no pace yet.");
    default:
      return plain("–", lasts_reason === "ended" ? "It does not work now." : "No limit refuses its calls.");
  }
}
