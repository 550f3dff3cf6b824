import { describe, expect, it } from "vitest";
import type { ActivityRow } from "#contract/activity.ts";
import { activitySentence, completedDays, spendByModel, totals } from "./activity.ts";

const now = new Date("2026-11-20T17:42:00Z");

function row(date: string, model: string, usage: number): ActivityRow {
  return {
    date,
    model,
    model_permaslug: model,
    endpoint_id: "acme",
    provider_name: "Acme",
    usage,
    byok_usage_inference: 0,
    requests: 10,
    prompt_tokens: 1_000,
    completion_tokens: 5,
    reasoning_tokens: 0,
  };
}

describe("the account's last thirty days", () => {
  it("are completed ones, across the end of a month", () => {
    const days = completedDays(now);
    expect(days).toHaveLength(30);
    expect([days[0], days[10], days[11], days.at(-1)]).toEqual([
      "2026-10-21",
      "2026-10-31",
      "2026-11-01",
      "2026-11-19",
    ]);
  });

  it("add up by model and day over all providers, the dearest model first", () => {
    const series = spendByModel(
      [
        row("2026-11-19", "a/small", 1),
        row("2026-11-19", "b/large", 3),
        row("2026-11-19", "b/large", 2),
        row("2026-11-18", "a/small", 1),
      ],
      now,
    );
    expect(series.map(({ name }) => name)).toEqual(["b/large", "a/small"]);
    expect(series[0]?.points.slice(-2).map(({ usage }) => usage)).toEqual([0, 5]);
    expect(series[1]?.points.slice(-2).map(({ usage }) => usage)).toEqual([1, 1]);
    expect(series[0]?.points).toHaveLength(30);
  });

  it("are said in a sentence", () => {
    const rows = [row("2026-11-19", "b/large", 3), row("2026-11-18", "a/small", 1)];
    expect(activitySentence(spendByModel(rows, now), "Staging")).toBe(
      "Staging spent $4.00 in the last 30 completed days, 75% of it on b/large.",
    );
    expect(activitySentence(spendByModel(rows.slice(0, 1), now), "Staging")).toContain("all of it on b/large");
    expect(activitySentence([], "Staging")).toBe("Staging spent nothing in the last 30 completed days.");
  });

  it("count calls and tokens", () => {
    expect(totals([row("2026-11-19", "b/large", 3), row("2026-11-18", "a/small", 1)])).toEqual({
      usd: 4,
      requests: 20,
      promptTokens: 2_000,
      completionTokens: 10,
    });
  });
});
