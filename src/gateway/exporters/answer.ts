import type { SinkAnswer, Verdict } from "./format.ts";

const longestWaitMs = 3_600_000;

/** What a status means unless a destination's documentation says otherwise. */
export function byStatus(answer: SinkAnswer, now: Date): Verdict {
  const { status } = answer;
  const message = `answered ${status}${excerpt(answer.body)}`;
  if (status >= 200 && status < 300) return { verdict: "accepted" };
  if (status === 413) return { verdict: "too_large", message };
  if (status === 400 || status === 422) return { verdict: "rejected", message };
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return { verdict: "retry", message, afterMs: retryAfterMs(answer, now) };
  }
  if (status >= 300 && status < 400) {
    return { verdict: "refused", message: `${message}: it redirects, and redirects are not followed` };
  }
  return { verdict: "refused", message };
}

/** RFC 9110: seconds, or a date. An hour at most. */
function retryAfterMs({ headers }: SinkAnswer, now: Date): number | null {
  const value = headers["retry-after"];
  if (typeof value !== "string") return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestWaitMs);
}

function excerpt(body: string): string {
  const text = body.replaceAll(/\s+/g, " ").trim().slice(0, 300);
  return text === "" ? "" : `: ${text}`;
}
