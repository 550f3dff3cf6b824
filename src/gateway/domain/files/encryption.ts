import { createCipheriv, createDecipheriv } from "node:crypto";

/** Of a file's content in one piece; the last one may be shorter. */
export const pieceBytes = 262_144;
const tagBytes = 16;

export const piecesOf = (size: number) => Math.ceil(size / pieceBytes);

/** Each file has a key of its own, so that a piece's number is a nonce that is used once. */
function nonceOf(n: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(n, 8);
  return nonce;
}

export function sealPiece(key: Buffer, n: number, piece: Buffer): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, nonceOf(n));
  const content = cipher.update(piece);
  cipher.final();
  return Buffer.concat([cipher.getAuthTag(), content]);
}

/** @returns null where it is altered, or of another place: with the file's size in its row none can be missing either */
export function openPiece(key: Buffer, n: number, sealed: Buffer): Buffer | null {
  const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(n), { authTagLength: tagBytes });
  try {
    decipher.setAuthTag(sealed.subarray(0, tagBytes));
    const piece = decipher.update(sealed.subarray(tagBytes));
    decipher.final();
    return piece;
  } catch {
    return null;
  }
}

export const sealedBytes = (size: number) => size + tagBytes;

/** Content of any pieces, in pieces of one size. */
export async function* inPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let piece = Buffer.allocUnsafeSlow(pieceBytes);
  let size = 0;
  for await (const part of content) {
    for (let at = 0; at < part.length;) {
      const copied = part.copy(piece, size, at);
      at += copied;
      size += copied;
      if (size < pieceBytes) continue;
      yield piece;
      piece = Buffer.allocUnsafeSlow(pieceBytes);
      size = 0;
    }
  }
  if (size > 0) yield piece.subarray(0, size);
}
