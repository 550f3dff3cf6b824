import type { VectorFacts } from "./protocol.ts";
import { numbersOf } from "./vectors.ts";
import type { VectorView } from "./vectors.ts";

const bars = 96;
const bins = 32;

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
    counts[bin]! += 1;
  }
  const norm = view.norms[row]! * view.factors[row]!;
  return { first: [...values.subarray(0, 8)], shape, norm, histogram: { from: -most, to: most, counts } };
}
