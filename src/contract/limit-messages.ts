import type { NanoUsd } from "./money.ts";
import type { LimitReset } from "./time.ts";

/** Whose money was insufficient. */
export type ShortOf = "key" | "maker" | "guardrail_budget" | "workspace_budget" | "credits";

const subjects: Record<ShortOf, string> = {
  key: "This key's limit",
  maker: "The limit of the key that had this one made",
  guardrail_budget: "The guardrail's budget",
  workspace_budget: "The workspace's budget",
  credits: "The account's credits",
};

const periods = { daily: " today", weekly: " this week", monthly: " this month", none: "" };

/** How every refusal for money begins, in the API and in the console. Amounts in nano-dollars. */
export function shortWords(kind: ShortOf, spent: NanoUsd, limit: NanoUsd, reset: LimitReset | null): string {
  const said = `${usdWords(spent)} of ${usdWords(limit)} spent${periods[reset ?? "none"]}`;
  return `${subjects[kind]} leaves no room for this call: ${said}`;
}

const owners = { key: "This key", workspace: "This workspace", default: "Each key" };

/** How every refusal for a rate begins. */
export function rateWords(owner: keyof typeof owners, limit: number, of: "requests" | "tokens"): string {
  return `${owners[owner]} may use ${limit.toLocaleString("en-US")} ${of} a minute`;
}

/** Dollars with all of the amount's decimals, but at least two. */
export function usdWords(nano: NanoUsd): string {
  const sign = nano < 0n ? "-" : "";
  const digits = String(nano < 0n ? -nano : nano).padStart(10, "0");
  const fraction = digits.slice(-9).replace(/0+$/, "").padEnd(2, "0");
  return `${sign}$${digits.slice(0, -9)}.${fraction}`;
}
