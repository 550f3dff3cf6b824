import { BadAnswer, type EncodingFormat, type RawVector } from "../../providers/provider.ts";
import { quote } from "../../json-bytes.ts";

/** A vector in any of its forms. */
export type Vector = RawVector | Float32Array;

/**
 * A vector as a JSON value in the requested format. Lossless: base64 holds float32, and every float32 is printed with
 * all the digits needed to read it back.
 * @throws BadAnswer for base64 that is not float32, and for anything that is not a finite number
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

/** A vector as it came, or the JSON of one. */
export type VectorOrJson = Vector | { readonly json: Buffer };

/** A vector's JSON in the format that it came in. */
export function jsonBytes(vector: VectorOrJson): Buffer {
  if (typeof vector === "string") return Buffer.from(encodeVector(vector, "base64"));
  return "json" in vector ? vector.json : Buffer.from(encodeVector(vector, "float"));
}

/** A vector's JSON in the format asked for. */
export function jsonOf(vector: VectorOrJson, format: EncodingFormat): string {
  if (typeof vector === "string" || !("json" in vector)) return encodeVector(vector, format);
  const json = vector.json.toString("latin1");
  return formatOf(vector.json) === format ? json : encodeVector(JSON.parse(json) as RawVector, format);
}

/** A vector's numbers. @throws BadAnswer for base64 that is not float32 */
export function numbersOf(vector: VectorOrJson): ArrayLike<number> {
  const plain = typeof vector === "string" || !("json" in vector) ? vector : parsed(vector.json);
  return typeof plain === "string" ? fromBase64(plain) : plain;
}

const parsed = (json: Buffer) => JSON.parse(json.toString("latin1")) as RawVector;

export function formatOf(json: Buffer): EncodingFormat {
  return json[0] === quote ? "base64" : "float";
}
