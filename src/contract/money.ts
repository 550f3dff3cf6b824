import * as z from "zod/mini";

/** Internally, money is integer nano-dollars (1e-9 USD) in a bigint; at the edge it is a JSON number of dollars. */
export type NanoUsd = bigint;

export const nanoPerUsd = 1_000_000_000n;

/** The largest amount that both a 64-bit integer and a JSON number represent safely. */
export const maxUsd = 1_000_000_000;

/** Dollars to nano-dollars, rounded to the nearest; exact for amounts below {@link maxUsd} with up to nine decimals. */
export function toNanoUsd(usd: number): NanoUsd {
  const whole = Math.trunc(usd);
  return BigInt(whole) * nanoPerUsd + BigInt(Math.round((usd - whole) * 1e9));
}

/** Nano-dollars to the nearest JSON number of dollars. */
export function toUsd(nano: NanoUsd): number {
  return Number(nano) / 1e9;
}

/** An amount that a caller sets: 0 or more, at most a billion dollars, and no finer than the smallest unit stored. */
export const UsdAmount = z.number().check(
  z.minimum(0, "must be 0 or more"),
  z.maximum(maxUsd, `must be at most ${maxUsd}`),
  z.refine((usd) => usd === 0 || usd >= 1e-9, "must be 0 or at least 0.000000001 (one nano-dollar)"),
);

/** An amount in an answer, in USD. */
export const Usd = z.number();
