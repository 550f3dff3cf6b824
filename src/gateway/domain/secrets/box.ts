import { createHash, createHmac, createSecretKey, hkdfSync } from "node:crypto";
import { openBytes, sealBytes } from "./sealed-bytes.ts";

/** Encrypts what the store must not hold in plain text. */
export interface SecretBox {
  /**
   * @param aad what the secret belongs to, such as `provider:openai`; it can only be opened for that, so that a row's
   * secret cannot be read by copying it into another row
   */
  seal(plaintext: string, aad: string): string;
  /** @throws WrongSecretKey when it was sealed by an unknown key, or for another aad */
  open(sealed: string, aad: string): string;
  /** equal for equal texts, and no help in guessing the text: only the newest key can compute it */
  fingerprint(text: string): string;
  /**
   * Keys for one purpose alone, derived from the newest key, for bytes that are found again by what they were made of.
   * Under another key they are neither found nor opened.
   */
  derive(purpose: string): DerivedBox;
  /** the prefix of everything that the newest key has sealed */
  readonly mark: string;
  /** true for what an older key has sealed: seal it again when it is next written */
  isOutdated(sealed: string): boolean;
}

export interface DerivedBox {
  /** equal for equal texts, and no help in guessing the text */
  lookup(text: string): Buffer;
  /** @param aad as for a secret */
  seal(bytes: Buffer, aad: string): Buffer;
  /** null where they were sealed under another key or for another aad, or altered */
  open(sealed: Buffer, aad: string): Buffer | null;
}

/** A sealed secret that none of the known keys opens. */
export class WrongSecretKey extends Error {
  override readonly name = "WrongSecretKey";
  /** what is wrong with the settings that it protects, as the end of a sentence about them */
  readonly why: string;

  constructor(message: string, why = message) {
    super(message);
    this.why = why;
  }
}

interface BoxKey {
  id: string;
  key: Buffer;
}

/**
 * AES-256-GCM. A sealed secret is `v1:<key id>:<base64url of nonce, tag and ciphertext>`.
 *
 * @param secrets the known keys, each at least 32 characters; the first one seals, all of them open
 */
export function createSecretBox(secrets: readonly [string, ...string[]]): SecretBox {
  const [newest, ...older] = secrets;
  const current = deriveKey(newest);
  const fingerprintKey = Buffer.from(hkdfSync("sha256", newest, "", "gatehouse fingerprint", 32));
  const mark = `v1:${current.id}:`;
  const known = new Map([current, ...older.map(deriveKey)].map((key) => [key.id, key] as const));
  return {
    seal: (plaintext, aad) => mark + sealBytes(current.key, aad, Buffer.from(plaintext)).toString("base64url"),
    open(sealed, aad) {
      const [version, id, content] = sealed.split(":");
      const key = known.get(id ?? "");
      if (version !== "v1" || content === undefined) throw wrongKey(aad, "they are damaged");
      if (key === undefined)
        throw wrongKey(aad, `they were encrypted with the secret key ${id}, which this gateway was not given`);
      const text = openBytes(key.key, aad, Buffer.from(content, "base64url"));
      if (text === null) throw wrongKey(aad, "they are damaged");
      return text.toString("utf8");
    },
    fingerprint: (text) => createHmac("sha256", fingerprintKey).update(text).digest("hex"),
    derive: (purpose) => deriveBox(newest, purpose),
    mark,
    isOutdated: (sealed) => !sealed.startsWith(mark),
  };
}

function deriveBox(secret: string, purpose: string): DerivedBox {
  const keys = Buffer.from(hkdfSync("sha256", secret, "", `gatehouse ${purpose}`, 64));
  const lookupKey = createSecretKey(keys.subarray(0, 32));
  const sealKey = createSecretKey(keys.subarray(32));
  return {
    lookup: (text) => createHmac("sha256", lookupKey).update(text).digest(),
    seal: (bytes, aad) => sealBytes(sealKey, aad, bytes),
    open: (sealed, aad) => openBytes(sealKey, aad, sealed),
  };
}

function deriveKey(secret: string): BoxKey {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "gatehouse secret box", 32));
  return { key, id: createHash("sha256").update("gatehouse key id").update(key).digest("hex").slice(0, 8) };
}

function wrongKey(aad: string, why: string): WrongSecretKey {
  return new WrongSecretKey(
    `The secret of ${aad} was encrypted with a key that is not known here, or was altered`,
    why,
  );
}
