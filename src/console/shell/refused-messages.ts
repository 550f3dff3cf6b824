import type { Output } from "#contract/endpoint.ts";
import type { listRefusedCalls, RefusedCalls } from "#contract/refused-calls.ts";
import { formatClock, formatCount, formatDay, formatUsd } from "../format.ts";

/** The reasons that are not error types of the API. */
const reasons: Readonly<Record<string, string>> = {
  key: "key limit",
  maker: "limit of the key that made it",
  guardrail_budget: "guardrail budget",
  workspace_budget: "workspace budget",
  credits: "credits",
  unpriced: "model without a price",
  key_disabled: "disabled key",
  key_expired: "expired key",
  key_deleted: "deleted key",
  playground_key: "unusable playground key",
};

/** The reasons of limits and of keys that cannot be used, as the address has them. */
export const refusalReasons: readonly string[] = Object.keys(reasons);

/** "key limit", "rate limit exceeded". */
export function reasonWords(reason: string): string {
  return reasons[reason] ?? reason.replaceAll("_", " ");
}

/** "402 key limit". */
export function refusedReason({ reason, status }: Pick<RefusedCalls, "reason" | "status">): string {
  return `${status} ${reasonWords(reason)}`;
}

/** "66 calls were refused in the last 24 hours, before a model was called; they cost nothing." */
export function refusedSummary({ data, total }: Output<typeof listRefusedCalls>, range: string): string {
  if (total.calls === 0) return `No call was refused in ${range}.`;
  const calls = total.calls === 1 ? "1 call was" : `${formatCount(total.calls)} calls were`;
  const cost = total.calls === 1 ? "it" : "they";
  const shown =
    total.records > data.length
      ? ` The latest ${formatCount(data.length)} of ${formatCount(total.records)} keys and reasons are listed.`
      : "";
  return `${calls} refused in ${range}, before a model was called; ${cost} cost nothing.${shown}`;
}

/** "66 times, 14:00:41 to 14:03:02 UTC", with days where they are not today. */
export function refusedTimes(calls: Pick<RefusedCalls, "count" | "first_at" | "last_at">, now: Date): string {
  const { count, first_at: first, last_at: last } = calls;
  if (count === 1) return `once, ${instant(last, now)}`;
  return `${formatCount(count)} times, ${instant(first, now).replace(/ UTC$/, "")} to ${instant(last, now)}`;
}

/** ", 66 of them refused", of a number of calls that includes those; nothing where none was. */
export function refusedMessage(refused: number, calls: number): string {
  if (refused === 0) return "";
  if (refused < calls) return `, ${formatCount(refused)} of them refused`;
  return calls === 1 ? ", which was refused" : ", all of them refused";
}

/** Whether one of the key's guardrails refused: by its budget, its lists of models and providers, or its filters. */
export function isByGuardrail({
  reason,
  last_message: message,
}: Pick<RefusedCalls, "reason" | "last_message">): boolean {
  return reason === "guardrail_budget" || /\bguardrail\b|^Request blocked\b/.test(message);
}

const ofMoney = new Set(["key", "maker", "guardrail_budget", "workspace_budget", "credits"]);

/** What the last refused call needed and what was left for it, to the digit; null where no limit on money refused it. */
export function refusedMoney(calls: Pick<RefusedCalls, "reason" | "last_needed" | "last_remaining">): string | null {
  const { reason, last_needed: needed, last_remaining: left } = calls;
  // Counts of an older gateway also carry what a rate limit counted.
  if (!ofMoney.has(reason) || needed === null || left === null) return null;
  const exact = { exact: true };
  return `The last call needed up to ${formatUsd(needed, exact)}, ${formatUsd(left, exact)} was left.`;
}

/** The words that a caller was answered with, with times as people read them: "It resets on 23 Nov at 00:00 UTC". */
export function toldWords(message: string, now: Date): string {
  return message.replaceAll(/\b(at )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g, (_, before, iso: string) => {
    const at = new Date(iso);
    const [day, clock] = [formatDay(at, "UTC", now), formatClock(at, "UTC")];
    return before === undefined ? `${day} ${clock} UTC` : `on ${day} at ${clock} UTC`;
  });
}

function instant(iso: string, now: Date): string {
  const at = new Date(iso);
  const today = iso.slice(0, 10) === now.toISOString().slice(0, 10);
  return `${today ? "" : `${formatDay(at, "UTC", now)} `}${formatClock(at, "UTC", { seconds: true })} UTC`;
}
