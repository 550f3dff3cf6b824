/** What is left of a limit as a list shows it: rounded down to its digits, so that something used never reads as nothing used. */
export function leftForList(usd: number): { usd: number; exact: boolean } {
  if (usd <= 0) return { usd, exact: false };
  // less than a list has digits for
  if (usd < 0.0001) return { usd, exact: true };
  const unit = usd < 1 ? 0.0001 : 0.01;
  // 4.35 / 0.01 is a little less than 435
  return { usd: Math.floor(Number((usd / unit).toPrecision(15))) * unit, exact: false };
}
