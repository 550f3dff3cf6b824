/** A position in the ledger: the writing transaction (xid8), then the order within it. Both as text, for JSON. */
export interface LedgerPosition {
  readonly xact: string;
  readonly seq: string;
}

export function positionOf(row: { xact: string; seq: number | bigint }): LedgerPosition {
  return { xact: row.xact, seq: String(row.seq) };
}
