import { makeRandom } from "./random.ts";

/** A figure from a sample, and between which bounds it is for all such rows, with 95% confidence. */
export interface Interval {
  value: number;
  from: number;
  to: number;
}

const z = 1.96;
const draws = 1_000;

/** A share of yes and no, by Wilson's interval (1927): true of few rows too, and never outside 0 to 1. */
export function shareInterval(yes: number, of: number): Interval {
  if (of === 0) return { value: 0, from: 0, to: 1 };
  const share = yes / of;
  const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const reach = (z / (1 + z ** 2 / of)) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  // at 0 and 1 rounding must not put the value outside
  return {
    value: share,
    from: Math.max(0, Math.min(share, middle - reach)),
    to: Math.min(1, Math.max(share, middle + reach)),
  };
}

/** A mean, by the bootstrap's percentiles (Efron, 1979): the same draws each time. */
export function meanInterval(values: readonly number[], seed = 7): Interval {
  const { length } = values;
  const mean = (sum: number) => sum / Math.max(1, length);
  const random = makeRandom(seed);
  const means = new Float64Array(length === 0 ? 0 : draws);
  for (let draw = 0; draw < means.length; draw += 1) {
    let sum = 0;
    for (let i = 0; i < length; i += 1) sum += values[Math.floor(random() * length)] ?? 0;
    means[draw] = mean(sum);
  }
  means.sort();
  const value = mean(values.reduce((sum, one) => sum + one, 0));
  return { value, from: means[Math.floor(draws * 0.025)] ?? 0, to: means[Math.ceil(draws * 0.975) - 1] ?? 0 };
}
