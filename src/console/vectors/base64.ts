const codes = new Uint8Array(128);
for (const [value, letter] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries()) {
  codes[letter.charCodeAt(0)] = value;
}

/**
 * Decodes base64 of little-endian float32 straight into `target` at `offset`.
 * `atob` would make a string of every vector first, which at ten thousand of them is what takes the time.
 *
 * @returns how many numbers it was
 */
export function decodeFloats(text: string, target: Float32Array, offset: number): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array(target.buffer, target.byteOffset + offset * 4);
  const total = (text.length / 4) * 3 - padding;
  let at = 0;
  for (let i = 0; i < text.length; i += 4) {
    const group =
      ((codes[text.charCodeAt(i)] ?? 0) << 18) |
      ((codes[text.charCodeAt(i + 1)] ?? 0) << 12) |
      ((codes[text.charCodeAt(i + 2)] ?? 0) << 6) |
      (codes[text.charCodeAt(i + 3)] ?? 0);
    bytes[at] = group >> 16;
    if (at + 1 < total) bytes[at + 1] = (group >> 8) & 255;
    if (at + 2 < total) bytes[at + 2] = group & 255;
    at += 3;
  }
  return total / 4;
}

/** How many float32 numbers a base64 text holds. */
export function floatCount(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return ((text.length / 4) * 3 - padding) / 4;
}

/** The other way: little-endian float32 in base64, as `encoding_format` gives it. */
export function encodeFloats(values: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  values.forEach((value, index) => view.setFloat32(index * 4, value, true));
  return btoa(Array.from(new Uint8Array(view.buffer), (byte) => String.fromCharCode(byte)).join(""));
}
