/**
 * Prices of models. The API has decimal text in USD per token, which is unreadable; people write and compare USD per
 * million. All arithmetic is on digits: a price must come back as it was entered.
 */
const digitsKept = 18;
const millionDigits = 6;

/** USD a token to USD a million tokens: "0.00000002" to "0.02". Exact. */
export function perMillion(perToken: string): string {
  return shift(perToken, millionDigits);
}

/** USD a million tokens to USD a token: "0.02" to "0.00000002". Exact for up to twelve decimals. */
export function perToken(million: string): string {
  return shift(million, -millionDigits);
}

/** Moves the point of a decimal text to the right (or to the left where `places` is negative); no digit is lost. */
function shift(text: string, places: number): string {
  const [whole = "0", fraction = ""] = text.split(".");
  const digits = whole + fraction;
  const point = whole.length + places;
  const padded = point > 0 ? digits.padEnd(point, "0") : "0".repeat(1 - point) + digits;
  const at = Math.max(1, point);
  return tidy(padded.slice(0, at), padded.slice(at));
}

function tidy(whole: string, fraction: string): string {
  const front = whole.replace(/^0+(?=\d)/, "");
  const back = fraction.replace(/0+$/, "");
  return back === "" ? front : `${front}.${back}`;
}

/** "0.02" to "$0.02", "2.5" to "$2.50", "1234" to "$1,234.00"; every digit beyond the cents is kept. */
export function formatPrice(price: string): string {
  const [whole = "0", fraction = ""] = price.split(".");
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction.padEnd(2, "0")}`;
}

/** Which of two decimal texts is more: negative, 0 or positive, as sorting wants it. */
export function comparePrices(a: string, b: string): number {
  const difference = units(a) - units(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function units(price: string): bigint {
  const [whole = "0", fraction = ""] = price.split(".");
  return BigInt(whole + fraction.slice(0, digitsKept).padEnd(digitsKept, "0"));
}

export type ReadPrice = { price: string } | { problem: string };

/**
 * Reads what a person types as a price: `0.02`, `$1,234.5`, spaces anywhere.
 * @param decimals the most that the API can keep: 12 for a price by the million tokens, 18 for one by the unit
 */
export function readPrice(typed: string, decimals: number): ReadPrice {
  const text = typed.replace(/[\s$\u00a0\u202f]/g, "");
  if (text === "") return { problem: "Enter a price in USD, such as 0.02" };
  if (/^[-\u2212]/.test(text)) return { problem: "A price cannot be negative" };
  if (/^[\d.,]+e[+-]?\d+$/i.test(text)) return { problem: "Write the price out, without an exponent" };
  if (text.includes(",") && !/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(text))
    return { problem: "Use a point for decimals and commas only between thousands: 1,234.50" };
  const parts = /^(\d*)(?:\.(\d*))?$/.exec(text.replaceAll(",", ""));
  const [, whole = "", fraction = ""] = parts ?? [];
  if (whole + fraction === "") return { problem: "Enter a price in USD, such as 0.02" };
  const price = tidy(whole === "" ? "0" : whole, fraction);
  if ((price.split(".")[1] ?? "").length > decimals) return { problem: `At most ${decimals} decimals` };
  if ((price.split(".")[0] ?? "").length > 9) return { problem: "At most 999,999,999" };
  return { price };
}
