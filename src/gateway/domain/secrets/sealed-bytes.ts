import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM: nonce, tag and ciphertext, with a new nonce each time.
 * @param aad what they belong to: they can only be opened for it
 * @param pieces of the bytes, in order
 */
export function sealBytes(key: KeyObject | Buffer, aad: string, ...pieces: readonly Buffer[]): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(aad));
  const content = pieces.map((piece) => cipher.update(piece));
  cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), ...content]);
}

/** Null where they were sealed under another key or for another aad, or altered. */
export function openBytes(key: KeyObject | Buffer, aad: string, sealed: Buffer): Buffer | null {
  if (sealed.length < nonceBytes + tagBytes) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(aad))
      .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    const bytes = decipher.update(sealed.subarray(nonceBytes + tagBytes));
    decipher.final();
    return bytes;
  } catch {
    return null;
  }
}
