import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

export type KeyKind = "ordinary" | "management";

/** What has the form of a key: the token of an identity provider is none, and calls nothing of the API. */
export type TokenKind = KeyKind | "scim";

const prefixes: Record<TokenKind, string> = {
  ordinary: "sk-gh-v1-",
  management: "sk-gh-mgmt-v1-",
  scim: "sk-gh-scim-v1-",
};
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 256 bits need 43 base-62 digits. */
const secretLength = 43;
/** 32 bits of CRC need 6. */
const checksumLength = 6;

/**
 * A new key: prefix, 256 random bits, and the CRC-32 of both in base 62 (the shape of GitHub's tokens), so that
 * mistyped keys are told from unknown ones, and source code scanners recognize keys, without a look-up in the store.
 */
export function generateKey(kind: TokenKind): string {
  let secret = "";
  for (let rest = BigInt(`0x${randomBytes(32).toString("hex")}`); secret.length < secretLength; rest /= 62n) {
    secret = digits.charAt(Number(rest % 62n)) + secret;
  }
  const body = prefixes[kind] + secret;
  return body + checksum(body);
}

/**
 * What a string claims to be, judging by its format alone.
 * - `foreign`: not made by Gatehouse
 * - `mistyped`: has a Gatehouse prefix, but its length, digits or checksum are wrong
 */
export function readKey(text: string): TokenKind | "foreign" | "mistyped" {
  const kind = (["ordinary", "management", "scim"] as const).find((kind) => text.startsWith(prefixes[kind]));
  if (kind === undefined) return text.startsWith("sk-gh-") ? "mistyped" : "foreign";
  const rest = text.slice(prefixes[kind].length);
  const wellFormed = rest.length === secretLength + checksumLength && /^[0-9A-Za-z]+$/.test(rest);
  const body = text.slice(0, -checksumLength);
  return wellFormed && text.endsWith(checksum(body)) ? kind : "mistyped";
}

/** The key's public identifier: lowercase hex SHA-256 of the plaintext. */
export function hashKey(plaintext: string): string {
  return createHash("sha256").update(plaintext).digest("hex");
}

/** The masked abbreviation. For a secret that Gatehouse did not generate, only the end is shown. */
export function labelKey(plaintext: string): string {
  const kind = readKey(plaintext);
  if (kind === "foreign" || kind === "mistyped") return `${customLabel}${plaintext.slice(-4)}`;
  const prefix = prefixes[kind];
  return `${prefix}${plaintext.slice(prefix.length, prefix.length + 3)}...${plaintext.slice(-4)}`;
}

/** How the label of a management key begins that the administrator supplied. */
export const customLabel = "custom...";

/** The CRC-32 in base 62. Every call's key is checked by it, twice: it is reckoned without big integers. */
function checksum(body: string): string {
  let text = "";
  for (let rest = crc32(body); text.length < checksumLength; rest = Math.floor(rest / 62)) {
    text = digits.charAt(rest % 62) + text;
  }
  return text;
}
