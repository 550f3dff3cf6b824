/**
 * The stops of the sampling slider: ten to a decade, so that the slider's page keys (ten stops) are exactly ×10 and
 * ÷10. Written out, because 0.0001 × 1.2 is not 0.00012 in floating point, and these values go over the wire.
 */
export const samplingStops: readonly number[] = [
  0.0001, 0.00012, 0.00015, 0.0002, 0.00025, 0.0003, 0.0004, 0.0005, 0.0006, 0.0008, 0.001, 0.0012, 0.0015, 0.002,
  0.0025, 0.003, 0.004, 0.005, 0.006, 0.008, 0.01, 0.012, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12,
  0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1,
];

export const samplingPresets: readonly number[] = [1, 0.5, 0.1, 0.01, 0.001, 0.0001];

/** Where a rate lies on the slider's scale: at a stop, or by ratio between two, because the scale is logarithmic. */
export function placeOfRate(rate: number): number {
  const above = samplingStops.findIndex((stop) => stop > rate);
  if (above <= 0) return above === 0 ? 0 : samplingStops.length - 1;
  const [low = rate, high = rate] = samplingStops.slice(above - 1);
  return above - 1 + Math.log(rate / low) / Math.log(high / low);
}

export const nearestStop = (rate: number): number => Math.round(placeOfRate(rate));

/** A rate as percent without its sign, every digit that was stored: 0.0001 → "0.01", 0.333333 → "33.3333". */
export function percentText(rate: number): string {
  return String(Number((rate * 100).toPrecision(12)));
}

/** What was typed, read as a rate; or why it is none. */
export type ReadRate = { rate: number } | { problem: string };

const refused = { problem: "Enter a percentage from 0.01 to 100, or a fraction such as 1/1000" };

/**
 * Reads percent ("2.5", "2,5", "2.5 %"), a ratio ("1/1000", "1:1000") or a fraction ("0.001"). A bare number under 0.01 could
 * not be a percentage that is allowed, so it is taken for a fraction. Digits are shifted, never multiplied: "0.07" is
 * 0.0007, not 0.0007000000000000001.
 */
export function readRate(text: string): ReadRate {
  const ratio = /^\s*(\d+(?:\.\d+)?)\s*[/:]\s*(\d[\d,]*(?:\.\d+)?)\s*$/.exec(text);
  if (ratio) {
    const rate = Number(ratio[1]) / Number(ratio[2]?.replaceAll(",", ""));
    return allowed(Number(rate.toFixed(6)));
  }
  // "1,000" could be a thousand: a comma is taken for the point only before one or two digits
  const pointed = text.replace(/^(\s*\d+),(\d{1,2}\s*%?\s*)$/, "$1.$2");
  const [, digits, sign] = /^\s*(\d*\.?\d+|\d+\.)\s*(%?)\s*$/.exec(pointed) ?? [];
  if (digits === undefined) return refused;
  if (sign === "" && Number(digits) < 0.01) return allowed(Number(digits));
  if ((digits.split(".")[1] ?? "").length > 4) return { problem: "Use at most 4 digits after the point" };
  return allowed(Number(`${digits}e-2`));
}

/** True where a bare number is read as a fraction, not as percent. */
export function isFraction(text: string): boolean {
  return /^\s*\d*\.\d+\s*$/.test(text) && Number(text) < 0.01;
}

function allowed(rate: number): ReadRate {
  return rate >= 0.0001 && rate <= 1 ? { rate } : refused;
}

/** "every call", "1 in 40", "about 1 in 33", "8 in 10". */
export function oneIn(rate: number): string {
  if (rate === 1) return "every call";
  const [kept, of] = rate > 0.5 ? [Math.round(rate * 10), 10] : [1, Math.round(1 / rate)];
  const exact = Math.abs(kept / of / rate - 1) < 1e-9;
  return `${exact ? "" : "about "}${kept} in ${of.toLocaleString("en-US")}`;
}

/** How many events a rate leaves of so many a day, with the spread that chance alone gives it. */
export interface Expected {
  perDay: number;
  low: number;
  high: number;
}

/**
 * @param passing events a day that pass keys and rules, before sampling
 * @param perSession how many events a session has: sessions are kept whole, so the spread is that of their count. Two
 * standard deviations
 */
export function expected(passing: number, rate: number, perSession: number): Expected {
  const perDay = passing * rate;
  const spread = 2 * Math.sqrt(perSession * perDay);
  return { perDay, low: Math.max(0, perDay - spread), high: Math.min(passing, perDay + spread) };
}

/** Two digits that count, so that an estimate does not look like a measurement: 1034 → "1,030". */
export function roughly(count: number): string {
  return Number(count.toPrecision(count >= 100 ? 3 : 2)).toLocaleString("en-US", {
    maximumFractionDigits: count < 1 ? 2 : 0,
  });
}

/** "1 event", "about" how many being said by the caller: "1,030 events". */
export function roughEvents(count: number): string {
  const figure = roughly(count);
  return `${figure} ${figure === "1" ? "event" : "events"}`;
}

/** A range without false precision: whole events, two digits that count. "0 to 10", "960 to 1,100". */
export function rangeText({ low, high }: Expected): string {
  const round = (count: number) => Number(Math.round(count).toPrecision(2)).toLocaleString("en-US");
  return `${round(low)} to ${round(high)}`;
}

/** "about one every 3 days", for rates that leave less than one event a day. */
export function seldom(perDay: number): string {
  const days = 1 / perDay;
  if (days < 1.5) return "about one a day";
  return days < 60 ? `about one every ${Math.round(days)} days` : `about one every ${Math.round(days / 30)} months`;
}

/**
 * How a rate lies to those of other destinations: all choose sessions by the same hash, so the smaller choice is a part
 * of the larger one. null where no other one samples.
 */
export function overlapText(
  rate: number,
  others: readonly { name: string | null; sampling_rate: number }[],
): string | null {
  const [other] = others
    .filter((one) => one.sampling_rate < 1 && one.sampling_rate !== rate)
    .toSorted((a, b) => b.sampling_rate - a.sampling_rate);
  if (other === undefined || rate === 1) return null;
  const theirs = `the ${percentText(other.sampling_rate)}% in ${other.name ?? "another destination"}`;
  return other.sampling_rate > rate
    ? `This ${percentText(rate)}% is a subset of ${theirs}: both choose the same sessions.`
    : `It contains ${theirs}: both choose the same sessions.`;
}
