import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCursor, writeCursor } from "./cursor.ts";

const hash = "a".repeat(64);

describe("a cursor", () => {
  it("comes back as it was written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.includes("\0"));
        expect(readCursor(writeCursor("list", [text, hash]), "list", ["text", "hash"])).toEqual([text, hash]);
      }),
    );
  });

  it.each([
    "2026-11-21 12:00:00+00",
    "2026-11-21 12:00:00.123456+00",
    "2026-11-21T12:00:00.123Z",
    "infinity",
    "-infinity",
  ])("holds the instant %s", (at) => expect(readCursor(writeCursor("l", [at]), "l", ["bound"])).toEqual([at]));

  it("is refused by another list, with other parts, or forged", () => {
    const cursor = writeCursor("list", ["2026-11-21T12:00:00.000Z", hash]);
    const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
    const message = /cursor must be the next_cursor/;
    expect(() => readCursor(cursor, "other", ["instant", "hash"])).toThrow(message);
    expect(() => readCursor(cursor, "list", ["instant"])).toThrow(message);
    expect(() => readCursor(cursor, "list", ["integer", "hash"])).toThrow(message);
    for (const text of ["", "%%%", "bnVsbA", forged("list", 1, hash), forged("list", "2026-99-99", hash), forged()])
      expect(() => readCursor(text, "list", ["instant", "hash"])).toThrow(message);
  });

  it("is refused, whatever it is, and never otherwise fails", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => readCursor(text, "list", ["instant", "hash"])).toThrow(/cursor must be/);
      }),
    );
  });
});
