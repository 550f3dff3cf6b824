import { formatCount } from "../format.ts";

const most = 1_000_000_000;

/** Reads a rate as typed: a whole number, with commas between thousands if there are any; nothing is no rate. */
export function parsePerMinute(typed: string): { rate: number | null } | { problem: string } {
  const text = typed.replaceAll(/[\s\u00a0\u202f]/g, "");
  if (text === "") return { rate: null };
  if (!/^(\d+|\d{1,3}(,\d{3})+)$/.test(text)) return { problem: "Enter a whole number, such as 600, or nothing" };
  const rate = Number(text.replaceAll(",", ""));
  if (rate === 0) return { problem: "Must be 1 or more. Leave it empty for no limit" };
  return rate > most ? { problem: `At most ${formatCount(most)}` } : { rate };
}

/** A stored rate as the field shows it. */
export function perMinuteText(rate: number | null): string {
  return rate === null ? "" : String(rate);
}

/** The rate that was typed; null where there is none, or it is not valid (yet). */
export function perMinuteOf(typed: string): number | null {
  const parsed = parsePerMinute(typed);
  return "rate" in parsed ? parsed.rate : null;
}

/** What is wrong with the two fields, by their names. */
export function rateProblems(values: { requests: string; tokens: string }): { requests?: string; tokens?: string } {
  const requests = parsePerMinute(values.requests);
  const tokens = parsePerMinute(values.tokens);
  return {
    ...("problem" in requests && { requests: requests.problem }),
    ...("problem" in tokens && { tokens: tokens.problem }),
  };
}
