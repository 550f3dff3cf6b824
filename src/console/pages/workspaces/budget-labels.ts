import type { BudgetInterval, BudgetRecord } from "#contract/budgets.ts";
import { formatDay, formatDuration, formatUsd } from "../../format.ts";
import { parseUsd } from "../../form/usd.ts";
import type { Budgets } from "./use-budgets.ts";

/** From the shortest to the one that never resets; each must be less than all that follow it. */
export const intervals: readonly BudgetInterval[] = ["daily", "weekly", "monthly", "lifetime"];

export const intervalTitles: Record<BudgetInterval, string> = {
  daily: "Daily",
  weekly: "Weekly",
  monthly: "Monthly",
  lifetime: "Lifetime",
};

export const intervalNames: Record<BudgetInterval, string> = {
  daily: "daily budget",
  weekly: "weekly budget",
  monthly: "monthly budget",
  lifetime: "lifetime budget",
};

export function intervalOf(budget: Pick<BudgetRecord, "reset_interval">): BudgetInterval {
  return budget.reset_interval ?? "lifetime";
}

/** The budgets of a workspace in words, by what a person calls them. */
export function budgetWords({ data, include_byok_in_budgets: byok }: Budgets): Record<string, string> {
  const amounts = new Map(data.map((budget) => [intervalOf(budget), formatUsd(budget.limit_usd, { exact: true })]));
  return {
    ...Object.fromEntries(intervals.map((each) => [`${intervalTitles[each]} budget`, amounts.get(each) ?? "None"])),
    BYOK: byok ? "Counted" : "Not counted",
  };
}

/** When what was spent starts to count from nothing again. */
export function budgetResets({ resets_at: at }: BudgetRecord, now: Date): string {
  if (at === null) return "It never resets.";
  const reset = new Date(at);
  return `Resets in ${formatDuration(reset.getTime() - now.getTime())}, ${formatDay(reset, "UTC", now)} 00:00 UTC.`;
}

/** Until when it lasts, by the rule of docs/limits.md. */
export function budgetLasts({ lasts_until: until, lasts_reason: reason }: BudgetRecord, now: Date): string {
  if (until === null) {
    if (reason === "spent") return "It is used up.";
    return reason === "too_early" ? "It is too early for a pace." : "It is not used up at this pace.";
  }
  const at = new Date(until);
  const when = formatDuration(at.getTime() - now.getTime());
  return `At this pace it is used up in ${when}, about ${formatDay(at, "UTC", now)}.`;
}

/** What is wrong with an amount as typed: no amount, nothing, or out of order with the other budgets. */
export function budgetProblem(
  typed: string,
  interval: BudgetInterval,
  budgets: readonly BudgetRecord[],
): string | undefined {
  const amount = parseUsd(typed);
  if ("problem" in amount) return amount.problem;
  if (amount.usd === 0) return "Must be more than 0. To stop a workspace's calls, disable its keys";
  const place = intervals.indexOf(interval);
  for (const other of budgets) {
    const name = intervalOf(other);
    const otherPlace = intervals.indexOf(name);
    if (otherPlace < place && amount.usd <= other.limit_usd)
      return `Must be more than the ${intervalNames[name]} of ${formatUsd(other.limit_usd)}`;
    if (otherPlace > place && amount.usd >= other.limit_usd)
      return `Must be less than the ${intervalNames[name]} of ${formatUsd(other.limit_usd)}`;
  }
  return undefined;
}
