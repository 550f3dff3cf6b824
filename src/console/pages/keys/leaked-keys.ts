import { sha256Hex } from "#contract/sha256.ts";

/** What a text holds of Gatehouse keys. Of a key there is only its hash and the ends that its label shows. */
export interface LeakedKeys {
  /** by hash: of whole keys, and as it stands in the text; this may itself be a key, with the hash `ofItself` */
  hashes: { hash: string; shown: string; ofItself?: string }[];
  /** masked labels: "sk-gh-v1-p0F...eEfw" */
  labels: string[];
  /** how many begin like a key and are cut off or mistyped */
  broken: number;
  /** hashes of what may be a management key of a form of its own, the likeliest first */
  words: string[];
  /** there were more of those than can be looked up */
  partly: boolean;
}

/** Twenty questions of fifty hashes. */
const mostWords = 1_000;

const keyLength = 49;
const checksumLength = 6;
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Finds every key, hash and masked label in whatever text somebody has: a log, a file, a header, an address. */
export function findLeakedKeys(text: string): LeakedKeys {
  const ownForm = /(sk-gh-(mgmt-)?v1-)(?:([0-9A-Za-z]{3})(?:\.\.\.|…)([0-9A-Za-z]{4})|([0-9A-Za-z]{0,49}))/g;
  const hashes = new Map<string, LeakedKeys["hashes"][number]>();
  const labels = new Set<string>();
  const broken = new Set<string>();
  for (const [, start = "", mgmt = "", masked, end, rest = ""] of text.matchAll(ownForm)) {
    if (masked !== undefined && end !== undefined) {
      labels.add(`sk-gh-${mgmt}v1-${masked}...${end}`);
      continue;
    }
    // no more is taken than a key is long, so that one that runs into other letters is found too
    const key = start + rest;
    if (rest.length === keyLength && checksumHolds(key)) {
      const hash = sha256Hex(key);
      hashes.set(hash, { hash, shown: `${key.slice(0, start.length + 3)}…${key.slice(-4)}` });
    } else {
      broken.add(key);
    }
  }
  for (const [found] of text.matchAll(/(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/gi)) {
    const hash = found.toLowerCase();
    if (!hashes.has(hash)) hashes.set(hash, { hash, shown: `${hash.slice(0, 12)}…`, ofItself: sha256Hex(found) });
  }
  const { words, partly } = possibleKeys(text.replaceAll(ownForm, " "));
  return {
    hashes: [...hashes.values()],
    labels: [...labels],
    broken: broken.size,
    words: words.map(sha256Hex),
    partly,
  };
}

/**
 * What `GATEHOUSE_MANAGEMENT_KEY` may have been set to: each word, with and without what is around it, and of each
 * part between brackets, quotes, commas and the like every stretch from one sign to another.
 */
function possibleKeys(text: string): { words: string[]; partly: boolean } {
  const unescaped = text
    .replaceAll(/\\[nrt]/g, " ")
    .replaceAll("\\/", "/")
    .replaceAll(/(?:%|\\u00)([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const all = [text, unescaped].flatMap((form) => form.split(/[^\x21-\x7e]+/));
  const values = all.flatMap((word) => [word, word.replace(/^[\w"'-]+[=:]/, "")]);
  const bare = values.flatMap((word) => [word, word.replaceAll(/^["'`(]+|["'`).,;]+$/g, "")]);
  const parts = all.flatMap((word) => word.split(/["'`<>{}()[\]|&;,\\]+/));
  const stretches = stretchesOf(parts);
  const found = new Set([...bare, ...stretches].filter(isPossible));
  const bySigns = Array.from(found, (word) => ({ word, signs: word.match(sign)?.length ?? 0 }));
  const words = bySigns.toSorted((a, b) => a.signs - b.signs).map(({ word }) => word);
  return { words: words.slice(0, mostWords), partly: words.length > mostWords || stretches.length === mostStretches };
}

const [shortest, longest] = [32, 512];
const sign = /[^0-9A-Za-z]/g;
/** Twice as many as the longest key in base64 has. */
const mostSigns = 32;
/** What a page can go through while somebody waits. */
const mostStretches = 100_000;

const isPossible = (word: string) => word.length >= shortest && word.length <= longest && !/^[0-9a-f]{64}$/i.test(word);

/** Every stretch that begins and ends at a sign or an end, those with the fewest signs in them first. */
function stretchesOf(parts: readonly string[]): string[] {
  const found: string[] = [];
  const long = parts.filter(({ length }) => length >= shortest);
  const cut = long.map((part) => ({
    part,
    ends: [-1, ...Array.from(part.matchAll(sign), ({ index }) => index), part.length],
  }));
  for (let signs = 0; signs <= mostSigns; signs += 1) {
    for (const { part, ends } of cut) {
      for (let first = 0; first + signs + 1 < ends.length; first += 1) {
        const [from, to] = [(ends[first] ?? 0) + 1, ends[first + signs + 1] ?? 0];
        if (to - from < shortest || to - from > longest) continue;
        found.push(part.slice(from, to));
        if (found.length === mostStretches) return found;
      }
    }
  }
  return found;
}

/** The last six characters are the CRC-32 of everything before them, in base 62. */
function checksumHolds(key: string): boolean {
  let rest = crc32(key.slice(0, -checksumLength));
  let checksum = "";
  for (let index = 0; index < checksumLength; index += 1) {
    checksum = digits.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return key.endsWith(checksum);
}

/** CRC-32 as in zlib: the reflected polynomial of IEEE 802.3, bit by bit. */
function crc32(ascii: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < ascii.length; index += 1) {
    crc ^= ascii.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
