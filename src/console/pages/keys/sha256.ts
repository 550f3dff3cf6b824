/**
 * SHA-256 of the text's UTF-8 bytes as lowercase hexadecimal (FIPS 180-4, section 6.2).
 * Our own, because browsers withhold `crypto.subtle` on plain HTTP, where a gateway on a LAN often lives.
 */
export function sha256Hex(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const state = new Uint32Array(initial);
  const blocks = padded(bytes);
  for (let at = 0; at < blocks.byteLength; at += 64) compress(state, blocks, at);
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

const initial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const roundConstants = Uint32Array.from(firstPrimes(64), (prime) => fractionBits(Math.cbrt(prime)));

function padded(bytes: Uint8Array): DataView {
  const blocks = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(blocks.buffer).set(bytes);
  blocks.setUint8(bytes.length, 0x80);
  blocks.setBigUint64(blocks.byteLength - 8, BigInt(bytes.length) * 8n);
  return blocks;
}

function compress(state: Uint32Array, blocks: DataView, at: number): void {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i++) w[i] = blocks.getUint32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const early = word(w, i - 15);
    const late = word(w, i - 2);
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    w[i] = word(w, i - 16) + s0 + word(w, i - 7) + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + word(roundConstants, i) + word(w, i)) >>> 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  for (const [i, sum] of [a, b, c, d, e, f, g, h].entries()) state[i] = word(state, i) + sum;
}

function word(words: Uint32Array, i: number): number {
  return words[i] ?? 0;
}

function rotate(word: number, by: number): number {
  return ((word >>> by) | (word << (32 - by))) >>> 0;
}

function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
