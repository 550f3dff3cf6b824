import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packVector, unpackVector } from "./vector-pack.ts";

const back = (json: string) => unpackVector(packVector(Buffer.from(json))).toString();

describe("a packed vector", () => {
  it("is the same bytes again, whatever the vendor wrote", () => {
    for (const json of [
      "[]",
      "[1]",
      "[0.1,-2e-7]",
      "[ 1, 2 ]",
      "[1E5]",
      '""',
      '"AACAPw=="',
      '"AACAPw"',
      '"!!"',
      "null",
      "",
    ]) {
      expect(back(json)).toBe(json);
    }
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (numbers) => {
        const json = JSON.stringify(numbers);
        expect(back(json)).toBe(json);
      }),
      { numRuns: 30 },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(back(text)).toBe(Buffer.from(text).toString());
      }),
    );
  });

  it("takes half of a list's bytes, and three quarters of base64's", () => {
    const numbers = Array.from({ length: 1_536 }, (_, index) => Math.fround(Math.sin(index)));
    const list = Buffer.from(JSON.stringify(numbers));
    expect(packVector(list).length).toBeLessThan(list.length / 2 + 2);
    const base64 = Buffer.from(JSON.stringify(Buffer.from(new Float32Array(numbers).buffer).toString("base64")));
    expect(packVector(base64).length).toBe(1_536 * 4 + 1);
  });

  it("is refused where it is none", () => {
    expect(() => unpackVector(Buffer.of(9, 1))).toThrow(RangeError);
    expect(() => unpackVector(Buffer.alloc(0))).toThrow(RangeError);
  });
});
