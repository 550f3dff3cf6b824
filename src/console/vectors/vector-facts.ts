import type { VectorFacts } from "./protocol.ts";
import { normOf, numbersOf, type VectorView } from "./vectors.ts";

const bars = 96;
const bins = 32;
const mostListed = 8;

/** What is shown of one vector: its first numbers, its shape at a glance, how its numbers are spread. */
export function vectorFacts(view: VectorView, row: number): VectorFacts {
  const { used } = view;
  const values = numbersOf(view, row);
  const groups = Math.min(bars, used);
  const shape = Array.from({ length: groups }, (_, index) => {
    const part = values.subarray(Math.floor((index * used) / groups), Math.floor(((index + 1) * used) / groups));
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
  const most = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0) || 1;
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.floor(((value + most) / (2 * most)) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const largest = Array.from(values, (value, at) => ({ place: at + 1, value }))
    .filter(({ value }) => value !== 0)
    .toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return {
    first: [...values.subarray(0, 8)],
    largest: largest.slice(0, mostListed),
    filled: largest.length,
    shape,
    norm: normOf(view, row),
    histogram: { from: -most, to: most, counts },
  };
}
