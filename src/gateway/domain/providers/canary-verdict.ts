import { canaryFloor, type DriftReason, noiseFactor } from "#contract/canaries.ts";
import { hourMs, minuteMs } from "#contract/time.ts";
import { cosine } from "../cosine.ts";

/** The vectors of a canary's texts, in order. */
export type Vectors = readonly (Float32Array | readonly number[])[];

/** What the vectors of repeated calls have in common, and how much they differ by themselves. */
export interface Baseline {
  readonly vectors: readonly Float32Array[];
  readonly noise: number;
}

/**
 * The noise is the largest distance of a call's vector from the mean of the other calls': measured as a later run is,
 * against vectors that it had no part in.
 */
export function baselineOf(calls: readonly Vectors[]): Baseline {
  const rest = (left: number) => meanOf(calls.filter((_, index) => index !== left));
  const noise = Math.max(0, ...calls.map((call, index) => (calls.length > 1 ? distanceBetween(rest(index), call) : 0)));
  return { vectors: meanOf(calls), noise };
}

/** From here on it is drift. */
export function thresholdOf(noise: number): number {
  return Math.max(canaryFloor, noiseFactor * noise);
}

/** The largest cosine distance between two vectors of the same text: a change may concern long texts only. */
export function distanceBetween(some: Vectors, others: Vectors): number {
  return Math.max(0, ...some.map((vector, index) => cosineDistance(vector, others[index] ?? [])));
}

const rounding = 1e-12;

function cosineDistance(a: Vectors[number], b: Vectors[number]): number {
  const similarity = cosine(a, b);
  // A vector of zeros points nowhere: it is as far from any other as can be, and the same as another one of zeros.
  if (similarity === null) return scaleOf(a) === scaleOf(b) ? 0 : 1;
  const distance = 1 - similarity;
  // Sums of equal vectors differ in their last bits.
  return distance < rounding ? 0 : distance;
}

function meanOf(calls: readonly Vectors[]): Float32Array[] {
  const [first = []] = calls;
  return first.map((vector, text) => {
    const sum = new Float64Array(vector.length);
    for (const call of calls) {
      const unit = scaleOf(call[text] ?? []);
      for (let index = 0; index < sum.length; index += 1)
        sum[index] = (sum[index] ?? 0) + (call[text]?.[index] ?? 0) * unit;
    }
    const unit = scaleOf(sum);
    return Float32Array.from(sum, (value) => value * unit);
  });
}

function scaleOf(vector: ArrayLike<number>): number {
  let squares = 0;
  for (let index = 0; index < vector.length; index += 1) squares += (vector[index] ?? 0) ** 2;
  return squares === 0 ? 0 : 1 / Math.sqrt(squares);
}

/** What a run measured. */
export interface Measured {
  readonly distance: number | null;
  readonly threshold: number;
  /** null: within the noise */
  readonly reason: DriftReason | null;
}

/** Compares a run with a baseline whose endpoint is set up alike: only its length and the answer's model name may differ. */
export function measure(
  { vectors, space }: { readonly vectors: Vectors; readonly space: string },
  baseline: Baseline & { readonly space: string },
): Measured {
  const threshold = thresholdOf(baseline.noise);
  if (vectors[0]?.length !== baseline.vectors[0]?.length) return { distance: null, threshold, reason: "length" };
  const distance = distanceBetween(baseline.vectors, vectors);
  if (space !== baseline.space) return { distance, threshold, reason: "model_name" };
  return { distance, threshold, reason: distance >= threshold ? "distance" : null };
}

/** The part of a space's id that says how its endpoint is set up here. Another one is an admin's doing, not a drift. */
export function setupOf(space: string): string {
  return space.split("-")[0] ?? "";
}

export interface DriftState {
  readonly drifted: boolean;
  /** the last run found otherwise */
  readonly suspected: boolean;
}

/** What is reported changes when two runs in a row find otherwise: one alone may have met a single machine. */
export function nextState({ drifted, suspected }: DriftState, found: boolean): DriftState {
  if (found === drifted) return { drifted, suspected: false };
  return suspected ? { drifted: found, suspected: false } : { drifted, suspected: true };
}

const confirmMs = minuteMs;
const retryMs = 5 * minuteMs;
/** Runs are spread by this part of their interval, so that many canaries do not run together. */
const jitter = 0.1;

/**
 * How long until the next run: soon after a suspicion, and after failures at growing intervals.
 * @param random from 0 up to 1
 */
export function nextDelayMs(
  { everyHours, failures, suspected }: { everyHours: number; failures: number; suspected: boolean },
  random: number,
): number {
  const usual = everyHours * hourMs;
  const wanted = failures > 0 ? retryMs * 2 ** Math.min(failures - 1, 20) : suspected ? confirmMs : usual;
  return Math.round(Math.min(wanted, usual) * (1 - jitter + 2 * jitter * random));
}

/** Vectors as they are stored; all have the same length. */
export function packVectors(vectors: readonly Float32Array[]): Buffer {
  const bytes = Buffer.alloc(vectors.reduce((sum, { length }) => sum + length * 4, 0));
  let at = 0;
  for (const vector of vectors) for (const value of vector) at = bytes.writeFloatLE(value, at);
  return bytes;
}

export function unpackVectors(bytes: Buffer, count: number): Float32Array[] {
  const length = bytes.length / 4 / count;
  return Array.from({ length: count }, (_, text) =>
    Float32Array.from({ length }, (_, index) => bytes.readFloatLE((text * length + index) * 4)),
  );
}
