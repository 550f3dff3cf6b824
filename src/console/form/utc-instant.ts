import { dayMs, minuteMs } from "#contract/time.ts";

/** A date and a time as their two fields hold them, both in UTC. */
export interface UtcParts {
  /** `YYYY-MM-DD`, empty where nothing is entered */
  date: string;
  /** `HH:mm:ss` or `HH:mm`, empty where nothing is entered */
  time: string;
}

export type Preset = "7d" | "30d" | "60d" | "90d" | "1y" | "none";

const presetDays = { "7d": 7, "30d": 30, "60d": 60, "90d": 90 } as const;

/** The preset's end: 23:59:59 UTC of the day so many days (or one calendar year) from today's UTC date. */
export function presetParts(preset: Exclude<Preset, "none">, now: Date): UtcParts {
  if (preset !== "1y") {
    return { date: new Date(now.getTime() + presetDays[preset] * dayMs).toISOString().slice(0, 10), time: "23:59:59" };
  }
  const end = new Date(now);
  end.setUTCFullYear(now.getUTCFullYear() + 1);
  // 29 February has no twin next year: the last day of February, not 1 March
  if (end.getUTCMonth() !== now.getUTCMonth()) end.setUTCDate(0);
  return { date: end.toISOString().slice(0, 10), time: "23:59:59" };
}

/** The instant that the parts name, or null where they name none. */
export function partsToDate(parts: UtcParts): Date | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(parts.date) || !/^\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(parts.time)) return null;
  const seconds = parts.time.length === 5 ? `${parts.time}:00` : parts.time.slice(0, 8);
  const at = new Date(`${parts.date}T${seconds}Z`);
  // 30 February would be taken for 2 March
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== parts.date ? null : at;
}

/** `YYYY-MM-DDTHH:mm:ssZ`, the only form that is sent. */
export function toUtcIso(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

export function dateToParts(at: Date): UtcParts {
  const iso = at.toISOString();
  return { date: iso.slice(0, 10), time: iso.slice(11, 19) };
}

/** What is wrong with an expiry, or null. Five minutes is the least that leaves time to hand a key over. */
export function expiryProblem(parts: UtcParts, now: Date): string | null {
  const at = partsToDate(parts);
  if (!at) return "Enter a date and a time such as 2027-02-19 and 23:59, or choose No expiry";
  if (at.getTime() < now.getTime() + 5 * minuteMs) {
    return `Choose a time after ${toUtcIso(new Date(now.getTime() + 5 * minuteMs)).slice(11, 16)} UTC today: at least 5 minutes from now`;
  }
  return null;
}

export type Pasted = { parts: UtcParts; note: string } | { problem: string };

/** Reads a pasted ISO 8601 instant and says how it was understood; null where the text is no such thing. */
export function parsePasted(text: string): Pasted | null {
  const found = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(text.trim());
  if (!found) return null;
  const [, date = "", time = "", offset] = found;
  if (!offset) return { problem: `${text.trim()} has no time zone. Add Z for UTC, or an offset such as +02:00` };
  const zone = /^z$/i.test(offset) ? "Z" : offset.includes(":") ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
  const at = new Date(`${date}T${time.length === 5 ? `${time}:00` : time}${zone}`);
  if (Number.isNaN(at.getTime())) return { problem: `${text.trim()} is not a date that exists` };
  const parts = dateToParts(at);
  const note =
    zone === "Z"
      ? "Pasted as is: it is already in UTC"
      : `Converted: ${date} ${time} at ${zone} is ${parts.date} ${parts.time} UTC`;
  return { parts, note };
}
