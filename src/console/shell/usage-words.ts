import { formatCount, formatPercent } from "../format.ts";

/** What a series or a row counts: the display name, or what there is instead of one. */
export function seriesName({ group, name }: { group: string | null; name: string | null }): string {
  if (group === "") return "no provider";
  return group === null ? "all others" : (name ?? group);
}

/** "+18%", "−3%", "×20"; undefined where there is nothing to compare with, or nothing changed. */
export function changeWords(now: number, before: number): string | undefined {
  if (before === 0 || now === before) return undefined;
  const change = now / before - 1;
  // beyond tenfold a percentage says nothing
  if (change > 9) return `×${formatCount(Math.round(now / before))}`;
  return `${change > 0 ? "+" : "−"}${formatPercent(Math.abs(change))}`;
}
