import { formatCount } from "../format.ts";

const most = 1_000_000_000;

/** A whole number that a form may set: its member of the API, and how the form calls and explains it. */
export interface RateField {
  member: string;
  label: string;
  hint: string;
}

const tokensHint = "As the provider counts them. Calls over a rate get 429.";

/** The two rates of a key or a workspace. @param hint what is said of an empty field */
export const rateFields = (hint: string) =>
  ({
    requests: { member: "requests_per_minute", label: "Requests per minute", hint },
    tokens: { member: "tokens_per_minute", label: "Tokens per minute", hint: tokensHint },
  }) as const satisfies Record<string, RateField>;

/** Reads a rate as typed: a whole number, with commas between thousands if there are any; nothing is no rate. */
export function parsePerMinute(typed: string): { rate: number | null } | { problem: string } {
  const text = typed.replaceAll(/[\s\u00a0\u202f]/g, "");
  if (text === "") return { rate: null };
  if (!/^(\d+|\d{1,3}(,\d{3})+)$/.test(text))
    return { problem: "Enter a whole number, such as 600, or leave it empty" };
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

/** What is wrong with fields that hold a rate, by their names. */
export function rateProblems(typed: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(typed).flatMap(([field, text]) => {
      const parsed = parsePerMinute(text);
      return "problem" in parsed ? [[field, parsed.problem]] : [];
    }),
  );
}
