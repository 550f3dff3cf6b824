import type { Bar } from "./bar.ts";

export const integers = new Intl.NumberFormat("en-US");

/** A bar read out: "Wed 18 Nov, 02:00 UTC: $1.20, 66 calls refused". */
export function barLabel(bar: Bar, format: (value: number) => string, parts: readonly string[] | undefined): string {
  const { label, refused = 0 } = bar;
  const refusals = refused === 0 ? "" : `, ${integers.format(refused)} ${refused === 1 ? "call" : "calls"} refused`;
  return `${label}: ${figures(bar, format, parts)}${refusals}`;
}

const wide = /[MW@%]/u;
const narrow = /[ijlt1.,:' ]/u;

/** At least as wide as a tick's text is, in em of any of the house's faces: "Mon" and "Wed" are wider than "Fri". */
export function tickEm(text: string): number {
  return [...text].reduce((sum, letter) => sum + (wide.test(letter) ? 0.95 : narrow.test(letter) ? 0.4 : 0.64), 0.3);
}

/**
 * The part of the chart's width that each tick's text has to itself, up to the chart's end. Where it is too little, every other text is left
 * out, then three of four, and so on: the first one, and then those at even places, go last. Null for a bar without one.
 */
export function tickRooms(bars: readonly Pick<Bar, "tick">[]): (number | null)[] {
  const at = bars.flatMap(({ tick }, index) => (tick === undefined ? [] : [index]));
  return bars.map((_, index) => {
    const place = at.indexOf(index);
    if (place === -1) return null;
    // how many ticks further is the next one that goes no sooner than this one
    let stride = 1;
    while (stride < at.length && place % (stride * 2) === 0) stride *= 2;
    const gaps = at.slice(stride).map((to, nth) => to - (at[nth] ?? 0));
    return Math.min(bars.length - index, ...gaps) / bars.length;
  });
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
