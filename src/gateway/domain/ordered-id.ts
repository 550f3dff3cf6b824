import { randomUUID } from "node:crypto";

let lastMs = 0;
let sequence = 0;

/**
 * A version 7 UUID (RFC 9562): ids of later instants sort after earlier ones, and those that one process makes in
 * the same millisecond sort in the order in which they were made (up to 4,096 of them).
 */
export function orderedId(at: Date): string {
  const ms = at.getTime();
  sequence = ms === lastMs ? (sequence + 1) % 4_096 : 0;
  lastMs = ms;
  const instant = ms.toString(16).padStart(12, "0");
  const count = sequence.toString(16).padStart(3, "0");
  // the variant and 62 random bits, of which Node keeps a supply
  return `${instant.slice(0, 8)}-${instant.slice(8)}-7${count}${randomUUID().slice(18)}`;
}
