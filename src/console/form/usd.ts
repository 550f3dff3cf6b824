const problems = {
  empty: "Enter an amount in USD, such as 50",
  negative: "An amount cannot be negative. 0 refuses every paid call",
  exponent: "Write the amount out, without an exponent: 1000 rather than 1e3",
  comma: "Use a point for cents and commas only between thousands: 1,234.50",
  decimals: "At most nine decimals",
  maximum: "At most $1,000,000,000",
  other: "Enter an amount in USD, such as 50 or 1,234.50",
} as const;

export type ParsedUsd = { usd: number; text: string } | { problem: string };

/**
 * Reads what a person types as an amount: `5`, `5.00`, `$1,234.5`, spaces anywhere.
 * `text` is the normalized form: two decimals, or as many as were typed, up to the nine that the API counts in.
 */
export function parseUsd(typed: string): ParsedUsd {
  const text = typed.replace(/[\s$\u00a0\u202f]/g, "");
  if (text === "") return { problem: problems.empty };
  if (/^[-\u2212]/.test(text)) return { problem: problems.negative };
  if (/^[\d.,]+e[+-]?\d+$/i.test(text)) return { problem: problems.exponent };
  if (!/^[\d.,]+$/.test(text)) return { problem: problems.other };
  if (text.includes(",") && !/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)) return { problem: problems.comma };
  const plain = text.replaceAll(",", "");
  const parts = /^(\d*)(?:\.(\d*))?$/.exec(plain);
  if (!parts || plain === ".") return { problem: problems.other };
  const whole = (parts[1] ?? "").replace(/^0+(?=\d)/, "") || "0";
  const decimals = parts[2] ?? "";
  if (decimals.length > 9) return { problem: problems.decimals };
  const normalised = `${whole}.${decimals.padEnd(2, "0")}`;
  const usd = Number(normalised);
  if (usd > 1_000_000_000) return { problem: problems.maximum };
  return { usd, text: normalised };
}

/** The text to show for an amount that the server gave, in the form that {@link parseUsd} normalizes to. */
export function usdText(usd: number): string {
  const shown = usd.toFixed(9).replace(/0+$/, "");
  const [whole = "0", decimals = ""] = shown.split(".");
  return `${whole}.${decimals.padEnd(2, "0")}`;
}
