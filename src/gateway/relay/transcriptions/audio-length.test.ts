import { expect, it } from "vitest";
import { wave } from "../../testing/wave.ts";
import { lengthOf } from "./audio-length.ts";

it("is exact of uncompressed WAV, whatever chunks come before", () => {
  const { seconds, mostSeconds } = lengthOf(wave(3), "wav");
  expect(seconds).toBeCloseTo(3, 2);
  expect(mostSeconds).toBe(seconds + 1);
  const junk = Buffer.concat([wave(3).subarray(0, 12), Buffer.from("JUNK\x03\0\0\0abc\0"), wave(3).subarray(12)]);
  expect(lengthOf(junk, "wav").seconds).toBeCloseTo(3, 2);
});

it("does not trust what is no WAV, or whose figures make no sense: the bytes bound it", () => {
  const silent = wave(3);
  silent.writeUInt32LE(0, 24);
  const compressed = wave(3);
  compressed.writeUInt16LE(0x31, 20);
  for (const audio of [silent, compressed, Buffer.alloc(96_000), Buffer.from("RIFF")]) {
    expect(lengthOf(audio, "wav")).toEqual({ seconds: audio.length / 32_000, mostSeconds: audio.length / 1_000 + 1 });
  }
});

it("of other formats is bounded by the lowest bit rate", () => {
  expect(lengthOf(Buffer.alloc(12_000), "mp3")).toEqual({ seconds: 1, mostSeconds: 13 });
  expect(lengthOf(Buffer.alloc(12_000), "webm").mostSeconds).toBe(17);
});
