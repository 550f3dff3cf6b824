import { createCipheriv, createDecipheriv, randomBytes, randomFillSync } from "node:crypto";

/** A vector as the JSON value that a vendor sent, and what it counted for it. */
export interface KnownVector {
  readonly json: Buffer;
  readonly promptTokens: number;
}

/** Vectors that were asked for before, and those that are being asked for right now. One in each process. */
export interface EmbeddingCache {
  find(key: string): KnownVector | null;
  keep(key: string, known: KnownVector): void;
  /** what another call is fetching at this moment; resolves to null when it did not get it */
  underWay(key: string): Promise<KnownVector | null> | null;
  /** says that this call fetches it; call what is returned with the result, or with null, exactly once */
  fetching(key: string): (known: KnownVector | null) => void;
}

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;
/** What an entry takes beside its vector: the key, the map's slot, the buffer's head. */
const overheadBytes = 300;

/**
 * @param mostBytes the size it is bounded to, the least recently used go first; 0: nothing is kept, though equal inputs
 * in flight are still sent once
 *
 * The vectors lie in memory encrypted, under a key that only this process has and that ends with it: embeddings can be
 * turned back into text (Morris, Kuleshov, Shmatikov, Rush, "Text Embeddings Reveal (Almost) As Much As Text", 2023).
 */
export function createEmbeddingCache(mostBytes: number): EmbeddingCache {
  const secret = randomBytes(32);
  const entries = new Map<string, { sealed: Buffer; promptTokens: number }>();
  const fetches = new Map<string, Promise<KnownVector | null>>();
  let bytes = 0;

  function seal(json: Buffer): Buffer {
    const sealed = Buffer.allocUnsafeSlow(ivBytes + json.length + tagBytes);
    randomFillSync(sealed, 0, ivBytes);
    const cipher = createCipheriv(algorithm, secret, sealed.subarray(0, ivBytes));
    cipher.update(json).copy(sealed, ivBytes);
    cipher.final();
    cipher.getAuthTag().copy(sealed, ivBytes + json.length);
    return sealed;
  }

  function unseal(sealed: Buffer): Buffer {
    const end = sealed.length - tagBytes;
    const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, ivBytes));
    decipher.setAuthTag(sealed.subarray(end));
    const json = decipher.update(sealed.subarray(ivBytes, end));
    decipher.final();
    return json;
  }

  function forget(key: string) {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= entry.sealed.length + overheadBytes;
  }

  return {
    find(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      // The map keeps the order of insertion: the first one is the one that was not used for longest.
      entries.delete(key);
      entries.set(key, entry);
      return { json: unseal(entry.sealed), promptTokens: entry.promptTokens };
    },
    keep(key, { json, promptTokens }) {
      const size = json.length + ivBytes + tagBytes + overheadBytes;
      if (size > mostBytes) return;
      forget(key);
      bytes += size;
      entries.set(key, { sealed: seal(json), promptTokens });
      for (const oldest of entries.keys()) {
        if (bytes <= mostBytes) break;
        forget(oldest);
      }
    },
    underWay: (key) => fetches.get(key) ?? null,
    fetching(key) {
      const { promise, resolve } = Promise.withResolvers<KnownVector | null>();
      fetches.set(key, promise);
      return (known) => {
        fetches.delete(key);
        resolve(known);
      };
    },
  };
}
