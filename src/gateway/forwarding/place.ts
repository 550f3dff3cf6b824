/** A place in the ledger: the writing transaction (xid8), then the order within. Both as text, for JSON. */
export interface Place {
  readonly xact: string;
  readonly seq: string;
}

export function isAfter(a: Place, b: Place): boolean {
  const transactions = BigInt(a.xact) - BigInt(b.xact);
  return transactions === 0n ? BigInt(a.seq) > BigInt(b.seq) : transactions > 0n;
}

export function placeOf(row: { xact: string; seq: number | bigint }): Place {
  return { xact: row.xact, seq: String(row.seq) };
}
