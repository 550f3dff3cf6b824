/** The value that this share of the observations does not exceed. */
export interface Percentiles {
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p99: number;
}

/** The outcome of one call. */
export interface Observation {
  readonly at: Date;
  /** null: it succeeded */
  readonly failure: string | null;
  readonly overloaded: boolean;
  /** to the first byte of the answer; null when there was none */
  readonly latencyMs: number | null;
  /** null when there were too few tokens to measure */
  readonly tokensPerSecond: number | null;
}

const bucketMs = 60_000;
/** a day */
const buckets = 1_440;
const timingMs = 1_800_000;
const samples = 256;

interface Bucket {
  start: number;
  calls: number;
  failures: number;
  overloads: number;
}

/** Observations: a day's counts by minute, and the latest 256 timings of the last 30 minutes. Memory is bounded. */
export class HealthWindow {
  private readonly minutes: Bucket[] = [];
  private readonly latencySamples: { at: number; value: number }[] = [];
  private readonly throughputSamples: { at: number; value: number }[] = [];

  add(observation: Observation): void {
    const at = observation.at.getTime();
    const start = Math.floor(at / bucketMs) * bucketMs;
    let bucket = this.minutes.at(-1);
    if (!bucket || bucket.start !== start) {
      bucket = { start, calls: 0, failures: 0, overloads: 0 };
      this.minutes.push(bucket);
      if (this.minutes.length > buckets) this.minutes.shift();
    }
    bucket.calls += 1;
    if (observation.failure !== null) bucket.failures += 1;
    if (observation.overloaded) bucket.overloads += 1;
    if (observation.latencyMs !== null) keep(this.latencySamples, { at, value: observation.latencyMs / 1000 });
    if (observation.tokensPerSecond !== null) keep(this.throughputSamples, { at, value: observation.tokensPerSecond });
  }

  /** Counts over the last `lastMs` milliseconds, to the minute. */
  counts(now: Date, lastMs: number): { calls: number; failures: number; overloads: number } {
    const since = now.getTime() - lastMs;
    const total = { calls: 0, failures: 0, overloads: 0 };
    for (let index = this.minutes.length - 1; index >= 0; index -= 1) {
      const bucket = this.minutes[index];
      if (bucket === undefined || bucket.start + bucketMs <= since) break;
      total.calls += bucket.calls;
      total.failures += bucket.failures;
      total.overloads += bucket.overloads;
    }
    return total;
  }

  /** seconds */
  latency(now: Date): Percentiles | null {
    return percentiles(recent(this.latencySamples, now));
  }

  /** tokens a second */
  throughput(now: Date): Percentiles | null {
    return percentiles(recent(this.throughputSamples, now));
  }

  /** seconds, over the last 30 minutes, in order of arrival */
  latencies(now: Date): readonly number[] {
    return recent(this.latencySamples, now);
  }
}

function keep(list: { at: number; value: number }[], sample: { at: number; value: number }): void {
  list.push(sample);
  if (list.length > samples) list.shift();
}

function recent(list: readonly { at: number; value: number }[], now: Date): number[] {
  const since = now.getTime() - timingMs;
  return list.flatMap(({ at, value }) => (at >= since ? [value] : []));
}

/** By the nearest-rank method; null below five values, which are too few. */
export function percentiles(values: readonly number[]): Percentiles | null {
  if (values.length < 5) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return {
    p50: nearestRank(sorted, 0.5),
    p75: nearestRank(sorted, 0.75),
    p90: nearestRank(sorted, 0.9),
    p99: nearestRank(sorted, 0.99),
  };
}

function nearestRank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
