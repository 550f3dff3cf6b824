import type { ActivityRow } from "#contract/activity.ts";
import { formatPercent, formatUsd } from "../../format.ts";
import type { Series } from "./spend.ts";

const dayMs = 86_400_000;
const daysKept = 30;

/** The last thirty completed UTC days as the activity endpoint has them, oldest first: `YYYY-MM-DD`. */
export function completedDays(now: Date): string[] {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  return Array.from({ length: daysKept }, (_, index) =>
    new Date(today - (daysKept - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** Spend by day, one series for each model, the one that cost most first. Days without calls are there with zero. */
export function spendByModel(rows: readonly ActivityRow[], now: Date): Series[] {
  const byModel = new Map<string, Map<string, number>>();
  for (const { model, date, usage } of rows) {
    const days = byModel.get(model) ?? new Map<string, number>();
    days.set(date, (days.get(date) ?? 0) + usage);
    byModel.set(model, days);
  }
  const days = completedDays(now);
  return [...byModel]
    .map(([name, spent]) => ({
      name,
      points: days.map((day) => ({ at: `${day}T00:00:00.000Z`, usage: spent.get(day) ?? 0 })),
    }))
    .toSorted((a, b) => sum(b) - sum(a));
}

export interface Totals {
  usd: number;
  requests: number;
  promptTokens: number;
  completionTokens: number;
}

export function totals(rows: readonly ActivityRow[]): Totals {
  return {
    usd: rows.reduce((all, row) => all + row.usage, 0),
    requests: rows.reduce((all, row) => all + row.requests, 0),
    promptTokens: rows.reduce((all, row) => all + row.prompt_tokens, 0),
    completionTokens: rows.reduce((all, row) => all + row.completion_tokens, 0),
  };
}

/** What the chart shows, computed from what it shows. */
export function activitySentence(series: readonly Series[], where: string): string {
  const all = series.reduce((spent, one) => spent + sum(one), 0);
  const [most] = series;
  if (!most || all === 0) return `${where} spent nothing in the last 30 completed days.`;
  const share = series.length === 1 ? "all" : formatPercent(sum(most) / all);
  return `${where} spent ${formatUsd(all)} in the last 30 completed days, ${share} of it on ${most.name}.`;
}

function sum({ points }: Series): number {
  return points.reduce((all, point) => all + point.usage, 0);
}
