/** A place in the ledger: the writing transaction (xid8), then the order within. Both as text, for JSON. */
export interface Place {
  readonly xact: string;
  readonly seq: string;
}

export function placeOf(row: { xact: string; seq: number | bigint }): Place {
  return { xact: row.xact, seq: String(row.seq) };
}
