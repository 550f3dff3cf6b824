import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sha256Hex } from "./sha256.ts";

// FIPS 180-4 examples, as published with the standard
it.each([
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
])("hashes %j", (text, hash) => {
  expect(sha256Hex(text)).toBe(hash);
});

it("agrees with the platform's own on any text and every length around a block's end", async () => {
  for (let length = 0; length <= 200; length++) {
    const text = "x".repeat(length);
    expect(sha256Hex(text)).toBe(await platform(text));
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 300 }), async (text) => {
      expect(sha256Hex(text)).toBe(await platform(text));
    }),
  );
});

async function platform(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
