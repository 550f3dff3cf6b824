import { parseUsd } from "../../form/usd.ts";

export interface CreditValues {
  kind: "add" | "take";
  /** as typed */
  amount: string;
  note: string;
}

export function creditProblem(typed: string): string | undefined {
  const amount = parseUsd(typed);
  if ("problem" in amount) return amount.problem;
  return amount.usd === 0 ? "Must be more than 0" : undefined;
}

/** The entry: a removal is a negative amount. */
export function creditBody({ kind, amount, note }: CreditValues) {
  const parsed = parseUsd(amount);
  const usd = "usd" in parsed ? parsed.usd : 0;
  return { amount_usd: kind === "add" ? usd : -usd, note: note.trim() === "" ? null : note.trim() };
}
