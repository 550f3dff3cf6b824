import { randomBytes } from "node:crypto";
import { mostArguments } from "#contract/conversation-bounds.ts";
import { readDataUrl } from "../providers/messages.ts";
import type { SentRequest, UpstreamRequest } from "../providers/provider.ts";
import { joinInTurns, takeTurns, type Turn } from "../turns.ts";

/** Characters of a string that is set aside, and of a piece that is written in one go. */
export const longString = 65_536;

/** A request whose long strings are set aside while a dialect converts it into a vendor's. */
export interface SetAside<T> {
  readonly value: T;
  /** the vendor's JSON with the strings back in place */
  restore(json: string, turn: Turn): Promise<Buffer>;
}

/**
 * Writing JSON takes 5 ms per megabyte, and a dialect writes all of it in one go: so long strings are replaced by short
 * marks, and written piece by piece afterward. A data URL keeps its head, which dialects read.
 */
export function setAside<T>(value: T): SetAside<T> {
  const nonce = `GATEHOUSE${randomBytes(16).toString("hex")}X`;
  const strings: string[] = [];

  const replaced = (each: unknown): unknown => {
    if (typeof each === "string") return each.length > longString ? mark(each) : each;
    if (Array.isArray(each)) return each.map(replaced);
    if (typeof each !== "object" || each === null) return each;
    // Strings that a dialect parses stay in place: those of all tool calls together are no longer than this.
    const isParsed = (name: string, inner: unknown) =>
      name === "arguments" && typeof inner === "string" && inner.length <= mostArguments;
    return Object.fromEntries(
      Object.entries(each).map(([name, inner]) => [name, isParsed(name, inner) ? inner : replaced(inner)]),
    );
  };
  const mark = (text: string): string => {
    const data = readDataUrl(text);
    const tail = data === null ? text : data.base64;
    return `${text.slice(0, text.length - tail.length)}${nonce}${strings.push(tail) - 1}X`;
  };

  return {
    value: replaced(value) as T,
    async restore(json, turn) {
      const pieces: Buffer[] = [];
      /** of each text, which may be in several places */
      const written = new Map<string, Buffer[]>();
      const [head = "", ...rest] = json.split(nonce);
      pieces.push(Buffer.from(head));
      for (const piece of rest) {
        const end = piece.indexOf("X");
        const text = strings[Number(piece.slice(0, end))] ?? "";
        const known = written.get(text) ?? [];
        written.set(text, known);
        for (let from = known.length * longString; from < text.length; from += longString) {
          known.push(Buffer.from(JSON.stringify(text.slice(from, from + longString)).slice(1, -1)));
          if (turn.isOver()) await turn.next();
        }
        pieces.push(...known);
        pieces.push(Buffer.from(piece.slice(end + 1)));
      }
      return await joinInTurns(pieces, turn);
    },
  };
}

/** A vendor's request with the strings back in place; unchanged if none were set aside. */
export async function withLongStrings(
  request: UpstreamRequest,
  aside: SetAside<unknown> | null,
  owner: string,
): Promise<SentRequest> {
  if (aside === null || typeof request.body !== "string") return request;
  const turn = takeTurns(owner);
  await turn.next();
  return { ...request, body: await aside.restore(request.body, turn) };
}
