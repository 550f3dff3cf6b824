import type { FailedAnswer } from "./provider.ts";

/** What is left of one of a vendor's rate limits, as an answer says. */
export interface RateLeft {
  readonly remaining: number;
  /** null: the answer does not say */
  readonly limit: number | null;
  /** until the limit is whole again, milliseconds */
  readonly resetMs: number;
}

export interface RatesLeft {
  readonly requests: RateLeft | null;
  readonly tokens: RateLeft | null;
}

interface HeaderNames {
  readonly remaining: string;
  readonly limit: string;
  readonly reset: string;
}

const named = (remaining: string, limit: string, reset: string): HeaderNames => ({ remaining, limit, reset });

/** The headers in which vendors say what is left; the first that is there counts. */
const names: Readonly<Record<keyof RatesLeft, readonly HeaderNames[]>> = {
  requests: [
    // https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers; Azure, Groq, Fireworks and others alike
    named("x-ratelimit-remaining-requests", "x-ratelimit-limit-requests", "x-ratelimit-reset-requests"),
    // https://docs.anthropic.com/en/api/rate-limits#response-headers: instants
    named(
      "anthropic-ratelimit-requests-remaining",
      "anthropic-ratelimit-requests-limit",
      "anthropic-ratelimit-requests-reset",
    ),
    // https://docs.together.ai/docs/rate-limits: seconds
    named("x-ratelimit-remaining", "x-ratelimit-limit", "x-ratelimit-reset"),
  ],
  tokens: [
    named("x-ratelimit-remaining-tokens", "x-ratelimit-limit-tokens", "x-ratelimit-reset-tokens"),
    named(
      "anthropic-ratelimit-tokens-remaining",
      "anthropic-ratelimit-tokens-limit",
      "anthropic-ratelimit-tokens-reset",
    ),
    named("x-tokenlimit-remaining", "x-tokenlimit-limit", "x-ratelimit-reset"),
  ],
};

type Headers = FailedAnswer["headers"];

/** What an answer's headers say is left of the vendor's rates; null where they say nothing that can be relied on. */
export function readRatesLeft(headers: Headers): RatesLeft {
  return { requests: readLeft(headers, names.requests), tokens: readLeft(headers, names.tokens) };
}

function readLeft(headers: Headers, rows: readonly HeaderNames[]): RateLeft | null {
  for (const row of rows) {
    const remaining = count(one(headers[row.remaining]));
    if (remaining === null) continue;
    const resetMs = readReset(one(headers[row.reset]), one(headers["date"]));
    if (resetMs === null) continue;
    const limit = count(one(headers[row.limit]));
    // Azure sends -1 and 0 where it has nothing to say.
    return { remaining, limit: limit === null || limit < Math.max(1, remaining) ? null : limit, resetMs };
  }
  return null;
}

function count(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}(\.\d+)?$/.test(text) ? Math.floor(Number(text)) : null;
}

/** Longer than any wait for it: a larger number of seconds is an instant. */
const longestMs = 86_400_000;
const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Milliseconds of `12ms`, `1s`, `2m59.56s`, of plain seconds, or until an instant (RFC 3339), by the vendor's own clock:
 * its Date header.
 */
function readReset(text: string | undefined, date: string | undefined): number | null {
  if (text === undefined || text.length > 40) return null;
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds)) return inBounds(seconds * 1_000);
  if (/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) {
    let sum = 0;
    for (const [, number, unit = ""] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
      sum += Number(number) * (units[unit] ?? 0);
    }
    return inBounds(sum);
  }
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || date === undefined) return null;
  return inBounds(Math.max(0, Date.parse(text) - Date.parse(date)));
}

function inBounds(ms: number): number | null {
  return ms >= 0 && ms <= longestMs ? ms : null;
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
