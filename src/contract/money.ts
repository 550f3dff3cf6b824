import * as z from "zod/mini";

/** Inside, money is integer nano-dollars (1e-9 USD) in a bigint; at the edge it is a JSON number of dollars. */
export type NanoUsd = bigint;

export const nanoPerUsd = 1_000_000_000n;

/** The largest amount that the store's 64-bit integer and a JSON number carry together without surprise. */
export const maxUsd = 1_000_000_000;

/** Dollars to nano-dollars, rounded to the nearest; exact for every amount of at most nine decimals below {@link maxUsd}. */
export function toNanoUsd(usd: number): NanoUsd {
  const whole = Math.trunc(usd);
  return BigInt(whole) * nanoPerUsd + BigInt(Math.round((usd - whole) * 1e9));
}

/** Nano-dollars to the JSON number of dollars that is nearest to it. */
export function toUsd(nano: NanoUsd): number {
  return Number(nano) / 1e9;
}

/** An amount that a caller sets: 0 or more, at most a billion dollars, and not below the smallest unit kept. */
export const UsdAmount = z.number().check(
  z.minimum(0, "must be 0 or more"),
  z.maximum(maxUsd, `must be at most ${maxUsd}`),
  z.refine((usd) => usd === 0 || usd >= 1e-9, "must be 0 or at least 0.000000001 (one nano-dollar)"),
);

/** An amount in an answer, in USD. */
export const Usd = z.number();
