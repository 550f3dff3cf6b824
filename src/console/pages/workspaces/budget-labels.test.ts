import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import type { BudgetRecord } from "#contract/budgets.ts";
import { CreateWorkspaceBody } from "#contract/workspaces.ts";
import { budgetLasts, budgetProblem, budgetResets, intervals } from "./budget-labels.ts";
import { refusal } from "./DeleteWorkspaceDialog.tsx";
import { slugOf } from "./slug.ts";

const ids = { id: "00000000-0000-4000-8000-000000000001", workspace_id: "00000000-0000-4000-8000-000000000002" };
const at = "2026-11-01T00:00:00.000Z";
const budget = (reset_interval: BudgetRecord["reset_interval"], limit_usd: number): BudgetRecord => {
  const resets_at = reset_interval === null ? null : "2026-11-22T00:00:00.000Z";
  const lasts = { lasts_until: null, lasts_reason: "not_at_this_pace" } as const;
  return { ...ids, limit_usd, reset_interval, created_at: at, updated_at: at, spent_usd: 0, resets_at, ...lasts };
};

it.each([
  ["daily", "49.99", undefined],
  ["daily", "50", "Must be less than the weekly budget of $50.00"],
  ["monthly", "50", "Must be more than the weekly budget of $50.00"],
  ["monthly", "1,000", "Must be less than the lifetime budget of $1,000.00"],
  ["monthly", "200", undefined],
  ["weekly", "60", undefined],
  ["daily", "0", expect.stringMatching(/more than 0/)],
  ["daily", "", expect.stringMatching(/Enter an amount/)],
] as const)("a budget of the %s interval, %s, is in order with the others", (interval, typed, problem) => {
  const others = [budget("weekly", 50), budget(null, 1_000)];
  expect(budgetProblem(typed, interval, others)).toEqual(problem);
});

it("budgets are in order with every other, the shortest interval the least, and start anew at midnight UTC, or never", () => {
  const falling = [budget("daily", 1), budget("weekly", 2), budget("monthly", 3), budget(null, 4)];
  const problems = intervals.map((interval, index) => budgetProblem(String(index + 1), interval, falling));
  expect(problems).toEqual(intervals.map(() => undefined));
  const resets = [budget("daily", 1), budget(null, 1)].map((one) =>
    budgetResets(one, new Date("2026-11-21T18:00:00Z")),
  );
  expect(resets).toEqual(["Resets in 6 h, 22 Nov 00:00 UTC.", "It never resets."]);
});

it.each([
  [false, 1, 0, "It still holds 1 active key. Delete or disable it first."],
  [false, 3, 0, "It still holds 3 active keys. Delete or disable them first."],
  [false, 0, 1, "It still holds 1 key over its limit. Delete or disable it first."],
  [false, 2, 3, "It still holds 2 active keys and 3 keys over their limits. Delete or disable them first."],
  [false, 0, 0, undefined],
  [true, 0, 0, expect.stringContaining("default workspace")],
  [true, 4, 0, expect.stringContaining("default workspace")],
])(
  "that a workspace can't be deleted is said of the default one: %s, and of one with keys: %d and %d",
  (is_default, active_keys, over_limit_keys, words) =>
    expect(refusal({ is_default, active_keys, over_limit_keys })).toEqual(words),
);

it("a slug is made from a name", () => {
  const names = ["Research & Development", "  Zürich – Büro 3 ", "研究", "All", `${"a".repeat(49)} b`];
  expect(names.map(slugOf)).toEqual(["research-development", "zurich-buro-3", "", "", "a".repeat(49)]);
});

it("a slug is one that the gateway takes, or nothing", () => {
  const taken = (slug: string) => slug === "" || z.safeParse(CreateWorkspaceBody, { name: "x", slug }).success;
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (name) => taken(slugOf(name))));
});

it.each([
  ["limit", "2026-11-05T06:00:00.000Z", "At this pace it is used up in 4 d 6 h, about 5 Nov."],
  ["spent", null, "It is used up."],
  ["not_at_this_pace", null, "It is not used up at this pace."],
  ["too_early", null, "It is too early for a pace."],
] as const)("a budget says until when it lasts: %s", (lasts_reason, lasts_until, words) =>
  expect(budgetLasts({ ...budget("monthly", 50), lasts_reason, lasts_until }, new Date(at))).toBe(words),
);
