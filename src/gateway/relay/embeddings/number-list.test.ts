import fc from "fast-check";
import { expect, it } from "vitest";
import { numberListModule } from "./number-list-module.ts";
import { commasIn, numbersIn } from "./number-list.ts";

const numbers = (text: string) => numbersIn(Buffer.from(text, "latin1"));

it("counts what a list of numbers has", () => {
  expect([numbers("1"), numbers("-0.5,1e-7,2E+3"), numbers("1, 2,\n3")]).toEqual([1, 3, 3]);
  const long = Array.from({ length: 16_384 }, (_, index) => -index / 7).join(",");
  expect(long.length).toBeGreaterThan(200_000);
  expect(numbers(long)).toBe(16_384);
  expect(numbers("1,2")).toBe(2);
});

it("finds what cannot stand there, at any place", () => {
  const list = Array.from({ length: 40 }, (_, index) => index / 8).join(",");
  for (let at = 0; at < list.length; at += 1) {
    for (const wrong of ["n", "/", ":", "[", '"', "\0", "\xff", "*"])
      expect(numbers(list.slice(0, at) + wrong + list.slice(at + 1))).toBeNull();
    if (list[at] === ",") expect(numbers(`${list.slice(0, at)},${list.slice(at)}`)).toBeNull();
  }
  expect([numbers(""), numbers(",1"), numbers("1,"), numbers(" 1")]).toEqual([null, null, null, null]);
});

it("says of any text what its plain definition says", () => {
  const texts = fc.oneof(
    fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })).map((list) => list.join(",")),
    fc.array(fc.constantFrom(..."0123456789+-.eE, \n/:x")).map((pieces) => pieces.join("")),
    fc.array(fc.integer({ min: 0, max: 255 })).map((codes) => String.fromCharCode(...codes)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const commas = commasIn(`1${text}1`);
      expect(numbers(`1${text}1`)).toBe(commas === -1 ? null : commas + 1);
    }),
    { numRuns: 2_000 },
  );
});

it("does so by a module that this machine takes", () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { validate(bytes: Uint8Array): boolean } };
  expect(WebAssembly.validate(numberListModule())).toBe(true);
});
