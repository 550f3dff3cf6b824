import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateKey, hashKey, labelKey, readKey, type TokenKind } from "./format.ts";

const kind = fc.constantFrom<TokenKind>("ordinary", "management", "scim");
const key = kind.map((kind) => ({ kind, text: generateKey(kind) }));

describe("a key's form", () => {
  it("is read back as the kind it was made as", () => {
    fc.assert(
      fc.property(key, ({ kind, text }) => {
        expect(readKey(text)).toBe(kind);
      }),
    );
  });

  it("has a prefix of its kind, 256 bits and a checksum", () => {
    expect(generateKey("ordinary")).toMatch(/^sk-gh-v1-[0-9A-Za-z]{49}$/);
    expect(generateKey("management")).toMatch(/^sk-gh-mgmt-v1-[0-9A-Za-z]{49}$/);
  });

  it("is never the same twice", () => {
    const made = Array.from({ length: 1_000 }, () => generateKey("ordinary"));
    expect(new Set(made).size).toBe(made.length);
  });

  it("tells a key with one changed character, wherever it is", () => {
    fc.assert(
      fc.property(key, fc.nat(), fc.constantFrom(..."0aZ-_é"), ({ text }, at, wrong) => {
        const index = 6 + (at % (text.length - 6));
        fc.pre(text[index] !== wrong);
        expect(readKey(text.slice(0, index) + wrong + text.slice(index + 1))).toBe("mistyped");
      }),
    );
  });

  it("tells a key that was cut off, doubled, or has two characters swapped", () => {
    fc.assert(
      fc.property(key, fc.nat(), ({ text }, at) => {
        const index = 15 + (at % (text.length - 17));
        expect(readKey(text.slice(0, index))).toBe("mistyped");
        expect(readKey(text + text.slice(index))).toBe("mistyped");
        const swapped = text.slice(0, index) + text.charAt(index + 1) + text.charAt(index) + text.slice(index + 2);
        fc.pre(swapped !== text);
        expect(readKey(swapped)).toBe("mistyped");
      }),
    );
  });

  it("calls anything else foreign", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.startsWith("sk-gh-"));
        expect(readKey(text)).toBe("foreign");
      }),
    );
    expect(readKey("sk-or-v1-0123456789abcdef")).toBe("foreign");
    expect(readKey("")).toBe("foreign");
  });
});

describe("what is kept of a key", () => {
  it("is a label with prefix, first three and last four characters", () => {
    fc.assert(
      fc.property(key, ({ kind, text }) => {
        const prefix = { ordinary: "sk-gh-v1-", management: "sk-gh-mgmt-v1-", scim: "sk-gh-scim-v1-" }[kind];
        const secret = text.slice(prefix.length);
        expect(labelKey(text)).toBe(`${prefix}${secret.slice(0, 3)}...${secret.slice(-4)}`);
      }),
    );
  });

  it("is nothing but the end of a secret that was made elsewhere", () =>
    expect(labelKey("correct-horse-battery-staple-correct")).toBe("custom...rect"));

  it("is the SHA-256 in lowercase hex", () =>
    expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
});
