import { BadAnswer, type EncodingFormat, type RawVector } from "../providers/provider.ts";

/** A vector in any of the forms that it is met in. */
export type Vector = RawVector | Float32Array;

/**
 * A vector as a JSON value of the form asked for. Lossless: base64 holds float32, and every float32 is printed with all
 * the digits that it takes to read it back.
 * @throws BadAnswer for base64 that holds no float32, and for what is not a finite number
 */
export function encodeVector(vector: Vector, format: EncodingFormat): string {
  if (format === "base64") return `"${typeof vector === "string" ? vector : toBase64(vector)}"`;
  return `[${checkVector(vector).join(",")}]`;
}

/** The numbers of a vector. @throws BadAnswer when it holds none, or what is not a finite number */
export function checkVector(vector: Vector): readonly number[] | Float32Array {
  const numbers = typeof vector === "string" ? fromBase64(vector) : vector;
  if (!isFinite(numbers)) throw new BadAnswer("a vector holds what is not a finite number");
  return numbers;
}

/** Little-endian float32, as the public API's clients read them. */
export function toBase64(numbers: readonly number[] | Float32Array): string {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (let i = 0; i < numbers.length; i++) bytes.writeFloatLE(numbers[i] ?? 0, i * 4);
  return bytes.toString("base64");
}

export function fromBase64(base64: string): Float32Array {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw new BadAnswer("a vector is not base64 of float32 numbers");
  }
  const numbers = new Float32Array(bytes.length / 4);
  for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.readFloatLE(i * 4);
  return numbers;
}

function isFinite(numbers: readonly number[] | Float32Array): boolean {
  for (const value of numbers) if (!Number.isFinite(value)) return false;
  return true;
}
