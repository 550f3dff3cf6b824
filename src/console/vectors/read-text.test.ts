import { describe, expect, it } from "vitest";
import { readText } from "./read-text.ts";

const file = (bytes: Uint8Array | Buffer) => new File([new Uint8Array(bytes)], "texts.txt");

describe("a file's text", () => {
  it("is read as UTF-8, and as UTF-16 by its mark", async () => {
    expect(await readText(file(Buffer.from("café\n日本")))).toBe("café\n日本");
    expect(await readText(file(Buffer.from("\uFEFFcafé", "utf16le")))).toBe("café");
    expect(await readText(file(Buffer.from("\uFEFFcafé", "utf16le").swap16()))).toBe("café");
  });

  it.each([
    ["Latin-1", Buffer.from("café über", "latin1")],
    ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
    ["half of a character", Buffer.from([0x61, 0xc3])],
    ["UTF-16 without a mark", Buffer.from("plain", "utf16le")],
  ])(
    "is refused with the way out where it is %s",
    async (_, bytes) =>
      await expect(readText(file(bytes))).rejects.toThrow("texts.txt is not UTF-8 text. Save it as UTF-8"),
  );

  it("is missed in an empty file", async () =>
    await expect(readText(file(Buffer.alloc(0)))).rejects.toThrow("texts.txt is empty."));
});
