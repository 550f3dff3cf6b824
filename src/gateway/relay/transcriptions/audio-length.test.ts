import { expect, it } from "vitest";
import type { AudioFormat } from "#contract/transcriptions.ts";
import { wave } from "../../testing/wave.ts";
import { lengthOf, longestSeconds } from "./audio-length.ts";

it("is exact of uncompressed WAV, whatever chunks come before", () => {
  const { seconds, mostSeconds } = lengthOf(wave(3), "wav");
  expect(seconds).toBeCloseTo(3, 2);
  expect(mostSeconds).toBe(seconds + 1);
  const junk = Buffer.concat([wave(3).subarray(0, 12), Buffer.from("JUNK\x03\0\0\0abc\0"), wave(3).subarray(12)]);
  expect(lengthOf(junk, "wav").seconds).toBeCloseTo(3, 2);
});

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
const u32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const double = (value: number) => {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleBE(value);
  return [...buffer];
};
const oggPage = (position: number) => bytes("OggS\0\0", u32(position).toReversed(), [0, 0, 0, 0], "....");

/** An hour in next to no bytes, as each format's head says it. */
const hour: readonly (readonly [AudioFormat, Buffer])[] = [
  ["flac", bytes("fLaC\0\0\0\x22", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0x03, 0xe8, 0x00, 0x00], u32(57_600_000), "....")],
  ["ogg", Buffer.concat([bytes("OggS", [...Buffer.alloc(24)], "OpusHead"), oggPage(172_800_000)])],
  [
    "oga",
    Buffer.concat([
      bytes("OggS", [...Buffer.alloc(24)], "\x01vorbis", [0, 0, 0, 0, 1], u32(16_000).toReversed()),
      oggPage(57_600_000),
    ]),
  ],
  [
    "m4a",
    bytes("\0\0\0\x18ftypM4A ....moov....mvhd", [0, 0, 0, 0], u32(0), u32(0), u32(1_000), u32(3_600_000), [
      ...Buffer.alloc(20),
    ]),
  ],
  [
    "webm",
    bytes("\x1aE\xdf\xa3....", [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40], [0x44, 0x89, 0x88], double(3_600_000)),
  ],
  ["mp3", bytes([0xff, 0xfb, 0x90, 0x00], [...Buffer.alloc(32)], "Xing", u32(1), u32(137_813), [...Buffer.alloc(8)])],
];

it.each(hour)("is what the head says of %s, however few its bytes", (format, audio) => {
  const { seconds, mostSeconds } = lengthOf(audio, format);
  expect(seconds).toBeCloseTo(3_600, 0);
  expect(mostSeconds).toBeGreaterThanOrEqual(seconds);
});

it("is what the head says whatever the file is called", () => {
  for (const [, audio] of hour) expect(lengthOf(audio, "wav").mostSeconds).toBeGreaterThan(3_599);
});

it("is bounded by the lowest bit rate where the head says nothing, if there is one", () => {
  const mp3 = Buffer.alloc(12_000);
  mp3.set([0xff, 0xfb, 0x90, 0x00]);
  expect(lengthOf(mp3, "mp3")).toEqual({ seconds: 1, mostSeconds: 13 });
  const adts = Buffer.alloc(5_700);
  adts.set([0xff, 0xf1]);
  expect(lengthOf(adts, "aac").mostSeconds).toBe(101);
});

it("may be a day where nothing bounds it", () => {
  const silent = wave(3);
  silent.writeUInt32LE(0, 24);
  const compressed = wave(3);
  compressed.writeUInt16LE(0x31, 20);
  const live = bytes("fLaC\0\0\0\x22", [...Buffer.alloc(40)]);
  for (const audio of [
    silent,
    compressed,
    Buffer.alloc(96_000),
    Buffer.from("RIFF"),
    live,
    Buffer.from("OggS"),
    Buffer.from("....ftyp"),
  ]) {
    expect(lengthOf(audio, "wav").mostSeconds).toBe(longestSeconds);
  }
  expect(lengthOf(Buffer.alloc(12_000), "mp3").mostSeconds).toBe(longestSeconds);
});
