/**
 * SHA-256 of the text's UTF-8 bytes as lowercase hexadecimal (FIPS 180-4, section 6.2).
 * Our own, because browsers withhold `crypto.subtle` on plain HTTP, where a gateway on a LAN often lives.
 */
export function sha256Hex(text: string): string {
  return Array.from(sha256(text), (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The same as eight words of 32 bits. */
export function sha256(text: string): Uint32Array {
  const state = new Uint32Array(initial);
  const blocks = padded(text);
  for (let at = 0; at < blocks.length; at += 16) compress(state, blocks, at);
  return state;
}

const initial = Uint32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
);

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const roundConstants = Int32Array.from(firstPrimes(64), (prime) => fractionBits(Math.cbrt(prime)));

/** The message, a set bit and the length, as whole blocks of 16 words. */
function padded(text: string): Int32Array {
  const bytes = utf8(text);
  const words = new Int32Array(Math.ceil((bytes.length + 9) / 64) * 16);
  for (let at = 0; at < bytes.length; at++) put(words, at, bytes[at] ?? 0);
  put(words, bytes.length, 0x80);
  words[words.length - 2] = Math.floor(bytes.length / 2 ** 29);
  words[words.length - 1] = bytes.length << 3;
  return words;
}

function put(words: Int32Array, at: number, byte: number): void {
  words[at >> 2] = word(words, at >> 2) | (byte << (24 - (at & 3) * 8));
}

/** The contract has neither DOM nor Node, hence no TextEncoder. A lone surrogate becomes U+FFFD, as it does in both. */
function utf8(text: string): number[] {
  const bytes: number[] = [];
  const formed = text.toWellFormed();
  for (let at = 0; at < formed.length; at++) {
    const code = formed.codePointAt(at) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else {
      at++;
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    }
  }
  return bytes;
}

/** The message schedule, overwritten by every block. */
const w = new Int32Array(64);

function compress(state: Uint32Array, blocks: Int32Array, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = word(blocks, at + i);
  for (let i = 16; i < 64; i++) {
    const early = word(w, i - 15);
    const late = word(w, i - 2);
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    w[i] = word(w, i - 16) + s0 + word(w, i - 7) + s1;
  }
  // Signed words in plain variables stay in registers: forwarding hashes every call that it samples.
  let a = word(state, 0) | 0;
  let b = word(state, 1) | 0;
  let c = word(state, 2) | 0;
  let d = word(state, 3) | 0;
  let e = word(state, 4) | 0;
  let f = word(state, 5) | 0;
  let g = word(state, 6) | 0;
  let h = word(state, 7) | 0;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + word(roundConstants, i) + word(w, i)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  add(state, 0, a);
  add(state, 1, b);
  add(state, 2, c);
  add(state, 3, d);
  add(state, 4, e);
  add(state, 5, f);
  add(state, 6, g);
  add(state, 7, h);
}

function add(state: Uint32Array, i: number, sum: number): void {
  state[i] = (state[i] ?? 0) + sum;
}

function word(words: Int32Array | Uint32Array, i: number): number {
  return words[i] ?? 0;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
