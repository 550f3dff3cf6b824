import { describe, expect, it } from "vitest";
import type { BudgetRecord } from "#contract/budgets.ts";
import { budgetProblem, budgetResets, intervals } from "./budget-labels.ts";

const budget = (reset_interval: BudgetRecord["reset_interval"], limit_usd: number): BudgetRecord => ({
  id: "00000000-0000-4000-8000-000000000001",
  workspace_id: "00000000-0000-4000-8000-000000000002",
  limit_usd,
  reset_interval,
  created_at: "2026-11-01T00:00:00.000Z",
  updated_at: "2026-11-01T00:00:00.000Z",
  spent_usd: 0,
  resets_at: reset_interval === null ? null : "2026-11-22T00:00:00.000Z",
});

describe("a budget's amount", () => {
  const others = [budget("weekly", 50), budget(null, 1_000)];
  it.each([
    ["daily", "49.99", undefined],
    ["daily", "50", "Must be less than the weekly budget of $50.00"],
    ["monthly", "50", "Must be more than the weekly budget of $50.00"],
    ["monthly", "1,000", "Must be less than the lifetime budget of $1,000.00"],
    ["monthly", "200", undefined],
    ["weekly", "60", undefined],
    ["daily", "0", expect.stringMatching(/more than 0/)],
    ["daily", "", expect.stringMatching(/Enter an amount/)],
  ] as const)("of the %s interval, %s", (interval, typed, problem) =>
    expect(budgetProblem(typed, interval, others)).toEqual(problem),
  );

  it("is in order with every other, the shortest interval the least", () => {
    const falling = [budget("daily", 1), budget("weekly", 2), budget("monthly", 3), budget(null, 4)];
    for (const [index, interval] of intervals.entries()) {
      expect(budgetProblem(String(index + 1), interval, falling)).toBeUndefined();
    }
  });

  it("starts anew at midnight UTC, or never", () => {
    const now = new Date("2026-11-21T18:00:00Z");
    expect(budgetResets(budget("daily", 1), now)).toBe("Resets in 6 h, 22 Nov 00:00 UTC.");
    expect(budgetResets(budget(null, 1), now)).toBe("It never resets.");
  });
});
