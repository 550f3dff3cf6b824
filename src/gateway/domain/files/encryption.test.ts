import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inPieces, openPiece, pieceBytes, piecesOf, sealedBytes, sealPiece } from "./encryption.ts";

const key = randomBytes(32);

async function* parts(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

describe("the content of a file", () => {
  it.each([1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes])(
    "of %d bytes is in pieces of one size, however it comes",
    async (size) => {
      const content = randomBytes(size);
      for (const partSize of [1_000, 65_536, pieceBytes, 1_000_000]) {
        const pieces: Buffer[] = [];
        for await (const piece of inPieces(parts(content, partSize))) pieces.push(piece);
        expect(pieces).toHaveLength(piecesOf(size));
        expect(pieces.slice(0, -1).every(({ length }) => length === pieceBytes)).toBe(true);
        expect(Buffer.concat(pieces).equals(content)).toBe(true);
      }
    },
  );

  it("has no piece where it is empty", async () => {
    for await (const piece of inPieces(parts(Buffer.alloc(0), 1))) expect(piece).toBeNull();
    expect(piecesOf(0)).toBe(0);
  });
});

describe("a sealed piece", () => {
  it("opens to what it was, and is as long as its place allows", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 500 }), fc.nat(100_000), (bytes, n) => {
        const piece = Buffer.from(bytes);
        const sealed = sealPiece(key, n, piece);
        expect(sealed).toHaveLength(sealedBytes(piece.length));
        expect(openPiece(key, n, sealed)?.equals(piece)).toBe(true);
      }),
    );
  });

  it("differs with the file's key and with its number, and does not show its content", () => {
    const piece = Buffer.from("the very secret sentence");
    const all = [sealPiece(key, 0, piece), sealPiece(key, 1, piece), sealPiece(randomBytes(32), 0, piece)];
    expect(new Set(all.map((sealed) => sealed.toString("hex")))).toHaveProperty("size", 3);
    expect(all.some((sealed) => sealed.includes("secret"))).toBe(false);
  });

  it("does not open with another key, as another number, or with a bit of it changed", () => {
    const sealed = sealPiece(key, 2, Buffer.from("content"));
    expect(openPiece(randomBytes(32), 2, sealed)).toBeNull();
    expect(openPiece(key, 3, sealed)).toBeNull();
    for (const [at, byte] of sealed.entries()) {
      const altered = Buffer.from(sealed);
      altered[at] = byte ^ 1;
      expect(openPiece(key, 2, altered)).toBeNull();
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(openPiece(key, 2, sealed.subarray(0, length))).toBeNull();
  });
});
