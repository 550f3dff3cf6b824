import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

export type KeyKind = "ordinary" | "management";

const prefixes: Record<KeyKind, string> = { ordinary: "sk-gh-v1-", management: "sk-gh-mgmt-v1-" };
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 256 bits need 43 base-62 digits. */
const secretLength = 43;
/** 32 bits of CRC need 6. */
const checksumLength = 6;

/**
 * A new key: prefix, 256 random bits, and the CRC-32 of both in base 62 (the shape of GitHub's tokens), so that
 * mistyped keys are told from unknown ones, and source code scanners recognize keys, without a look-up in the store.
 */
export function generateKey(kind: KeyKind): string {
  const body = prefixes[kind] + base62(BigInt(`0x${randomBytes(32).toString("hex")}`), secretLength);
  return body + checksum(body);
}

/**
 * What a string claims to be, judging by its format alone.
 * - `foreign`: not made by Gatehouse
 * - `mistyped`: has a Gatehouse prefix, but its length, digits or checksum are wrong
 */
export function readKey(text: string): KeyKind | "foreign" | "mistyped" {
  const kind = (["ordinary", "management"] as const).find((kind) => text.startsWith(prefixes[kind]));
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

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumLength);
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}
