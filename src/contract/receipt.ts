import type { NanoUsd } from "./money.ts";
import type { LimitReset } from "./time.ts";

/** Whose money did not suffice. */
export type ShortOf = "key" | "workspace_budget" | "credits";

const subjects: Record<ShortOf, string> = {
  key: "This key's limit",
  workspace_budget: "The workspace's budget",
  credits: "The account's credits",
};

const periods = { daily: " today", weekly: " this week", monthly: " this month", none: "" };

/** The beginning of every refusal for money, as the API says it and the console shows it. Amounts in nano-dollars. */
export function shortWords(kind: ShortOf, spent: NanoUsd, limit: NanoUsd, reset: LimitReset | null): string {
  const said = `${usdWords(spent)} of ${usdWords(limit)} spent${periods[reset ?? "none"]}`;
  return `${subjects[kind]} leaves no room for this call: ${said}`;
}

const owners = { key: "This key", workspace: "This workspace", default: "Each key" };

/** The beginning of every refusal for a rate. */
export function rateWords(owner: keyof typeof owners, limit: number, of: "requests" | "tokens"): string {
  return `${owners[owner]} may use ${limit} ${of} a minute`;
}

/** Dollars with as many decimals as the amount has, at least two. */
export function usdWords(nano: NanoUsd): string {
  const sign = nano < 0n ? "-" : "";
  const digits = String(nano < 0n ? -nano : nano).padStart(10, "0");
  const fraction = digits.slice(-9).replace(/0+$/, "").padEnd(2, "0");
  return `${sign}$${digits.slice(0, -9)}.${fraction}`;
}
