import { invalid } from "../domain/refusal.ts";
import type { Room } from "../memory-budget.ts";
import { readDataUrl } from "../providers/messages.ts";
import type { Turn } from "../turns.ts";

/** Characters that are decoded in one go: whole groups of four. */
const decodedAtOnce = 524_288;

/**
 * The bytes of base64, or of a data URL of it, from the request's member.
 * @param room takes their memory
 * @throws Refusal invalid_request, NoRoom
 */
export async function decodeBase64(text: string, member: string, room: Room, turn: Turn): Promise<Buffer> {
  const base64 = readDataUrl(text)?.base64 ?? text;
  const most = Math.ceil(base64.length / 4) * 3;
  room.take(most);
  const bytes = Buffer.allocUnsafeSlow(most);
  let size = 0;
  for (let from = 0; from < base64.length; from += decodedAtOnce) {
    const piece = base64.slice(from, from + decodedAtOnce);
    const isLast = from + decodedAtOnce >= base64.length;
    if (!(isLast ? /^[A-Za-z0-9+/_-]*={0,2}$/ : /^[A-Za-z0-9+/_-]*$/).test(piece))
      throw invalid(member, "must be base64 without spaces or line ends");
    size += bytes.write(piece, size, "base64");
    if (turn.isOver()) await turn.next();
  }
  return bytes.subarray(0, size);
}
