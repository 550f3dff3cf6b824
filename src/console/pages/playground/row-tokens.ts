import { estimateTokens } from "../../vectors/tokens.ts";
import type { Row } from "./rows.ts";

const estimated = new WeakMap<Row, number>();

/** Notes what the worker has counted already. */
export function noteTokens(row: Row, tokens: number): Row {
  estimated.set(row, tokens);
  return row;
}

/** A row's estimated tokens; counted once for each version of the row. */
export function tokensOf(row: Row): number {
  let tokens = estimated.get(row);
  if (tokens === undefined) estimated.set(row, (tokens = estimateTokens(row.text)));
  return tokens;
}
