/**
 * Round values for a scale from 0 to at least `highest`, three to six of them with the zero: 1, 2, 2.5 or 5 times a
 * power of ten apart. `whole` for what is counted: there is no half a call, so that a small scale has fewer values.
 */
export function scaleTicks(highest: number, { whole = false } = {}): number[] {
  if (!(highest > 0)) return [0];
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const exact = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const step = whole ? Math.ceil(exact) : exact;
  const ticks: number[] = [];
  for (let count = 0; ; count += 1) {
    const tick = Number((count * step).toPrecision(12));
    ticks.push(tick);
    if (tick >= highest) return ticks;
  }
}

/** How tall a bar is in a drawing of `height`: something is never drawn as nothing. */
export function barHeight(value: number, highest: number, height: number): number {
  if (!(value > 0) || !(highest > 0)) return 0;
  return Math.max(1, Math.round((value / highest) * height * 100) / 100);
}
