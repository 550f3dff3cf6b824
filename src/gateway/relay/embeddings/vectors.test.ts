import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeVector, fromBase64, toBase64 } from "./vectors.ts";

const vector = fc.float32Array({ minLength: 1, maxLength: 64, noNaN: true, noDefaultInfinity: true });
const bits = (numbers: Iterable<number>) => [...numbers].map((value) => (Object.is(value, -0) ? "-0" : value));

describe("a vector in another form", () => {
  it("is the same float32 numbers through base64", () => {
    fc.assert(
      fc.property(vector, (numbers) => {
        expect(bits(fromBase64(toBase64(numbers)))).toEqual(bits(numbers));
        expect(encodeVector(numbers, "base64")).toBe(encodeVector([...numbers], "base64"));
      }),
    );
  });

  it("is the same float32 numbers through JSON", () => {
    fc.assert(
      fc.property(vector, (numbers) => {
        const read = Float32Array.from(JSON.parse(encodeVector(toBase64(numbers), "float")) as number[]);
        // JSON has no negative zero that survives a join; as a coordinate it is zero.
        expect([...read].map((value) => value + 0)).toEqual([...numbers].map((value) => value + 0));
      }),
    );
  });

  it.each(["", "A", "AAAA", "not base64!", "AAAAAAA"])("refuses %j as base64 of float32", (text) => {
    expect(() => fromBase64(text)).toThrow("base64");
  });

  it("refuses what is not a number", () => {
    expect(() => encodeVector(Float32Array.of(Number.NaN), "float")).toThrow("finite");
    expect(() => encodeVector(toBase64([Number.POSITIVE_INFINITY]), "float")).toThrow("finite");
  });
});
