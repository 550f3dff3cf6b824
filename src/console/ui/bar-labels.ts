import type { Bar } from "./Bars.tsx";

const integers = new Intl.NumberFormat("en-US");

/** A bar read out: "Wed 18 Nov, 02:00 UTC: $1.20, 66 calls refused". */
export function barLabel(bar: Bar, format: (value: number) => string, parts: readonly string[] | undefined): string {
  const { label, refused = 0 } = bar;
  const refusals = refused === 0 ? "" : `, ${integers.format(refused)} ${refused === 1 ? "call" : "calls"} refused`;
  return `${label}: ${figures(bar, format, parts)}${refusals}`;
}

function figures(
  { value, more }: Bar,
  format: (value: number) => string,
  parts: readonly string[] | undefined,
): string {
  if (!parts || more === undefined) return format(value);
  const values = [value, ...more];
  const named = parts.map((part, index) => [part, values[index] ?? 0] as const);
  // of many parts only those that are there
  const told = parts.length === 2 ? named : named.filter(([, one]) => one > 0);
  if (told.length === 0) return format(0);
  return told.map(([part, one]) => `${part} ${format(one)}`).join(", ");
}
