import { expect, it } from "vitest";
import { countOutput, noOutput, outputInPieces, outputOf } from "./output.ts";

it("is the same whole and in pieces, and its count is that of its text", () => {
  const pieces = ["container ", "held at ", "Zürich 🚢", ""];
  const whole = pieces.join("");
  const output = outputInPieces(pieces, whole.length, Buffer.byteLength(whole));
  expect(output).toEqual(outputOf([whole]));
  expect(output).toEqual({ text: whole, length: whole.length, bytes: Buffer.byteLength(whole) });
  expect(countOutput(output)).toBeGreaterThan(3);
  expect([outputOf([""]), countOutput(noOutput)]).toEqual([noOutput, 0]);
});

it("is known by its beginning where it is long, and counted from there", () => {
  const pieces = Array.from({ length: 1_000 }, () => "one two three four ".repeat(50));
  const whole = pieces.join("");
  const output = outputInPieces(pieces, whole.length, Buffer.byteLength(whole));
  expect(output).toEqual(outputOf([whole]));
  expect([output.text.length, output.length]).toEqual([262_144, whole.length]);
  const share = outputOf([output.text]);
  expect(countOutput(output)).toBe(Math.ceil((countOutput(share) * whole.length) / 262_144));
});
