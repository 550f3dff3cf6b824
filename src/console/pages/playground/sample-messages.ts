import { formatCount } from "../../format.ts";

/** "from a sample of 2,000 rows", where a figure was not worked out from all; "" where it was. */
export function sampleMessage({ rows, of }: { rows: number; of: number }): string {
  return rows < of ? `from a sample of ${formatCount(rows)} rows` : "";
}
