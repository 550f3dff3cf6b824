import { randomBytes } from "node:crypto";

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
  const bytes = randomBytes(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
