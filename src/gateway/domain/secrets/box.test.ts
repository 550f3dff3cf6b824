import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecretBox, WrongSecretKey } from "./box.ts";

const [oldKey, newKey] = ["the first key, long enough for one", "the second key, long enough for it"];

describe("the secret box", () => {
  it("opens what it sealed, for the same place only", () => {
    const box = createSecretBox([newKey]);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const sealed = box.seal(text, "provider:a");
        expect(box.open(sealed, "provider:a")).toBe(text);
        expect(() => box.open(sealed, "provider:b")).toThrow(WrongSecretKey);
      }),
      { numRuns: 30 },
    );
  });

  it("never seals the same text to the same bytes, and never shows it", () => {
    const box = createSecretBox([newKey]);
    const sealed = box.seal("hunter2-hunter2", "p");
    expect(sealed).not.toBe(box.seal("hunter2-hunter2", "p"));
    expect(Buffer.from(sealed.split(":")[2] ?? "", "base64url").includes("hunter2")).toBe(false);
  });

  it("fingerprints a text so that only its own key can compute it", () => {
    const print = createSecretBox([newKey]).fingerprint("hunter2");
    expect(createSecretBox([newKey, oldKey]).fingerprint("hunter2")).toBe(print);
    expect(createSecretBox([oldKey]).fingerprint("hunter2")).not.toBe(print);
    expect(createSecretBox([newKey]).fingerprint("hunter3")).not.toBe(print);
  });

  it("derives keys of one purpose: nothing is found or opened for another one, or under another key", () => {
    const [box, other] = [createSecretBox([newKey]), createSecretBox([oldKey])].map((one) => one.derive("a cache"));
    const elsewhere = createSecretBox([newKey]).derive("another cache");
    const sealed = box?.seal(Buffer.from("a vector"), "p") ?? Buffer.alloc(0);
    expect(sealed.includes("a vector")).toBe(false);
    expect(createSecretBox([newKey, oldKey]).derive("a cache").open(sealed, "p")?.toString()).toBe("a vector");
    expect(box?.open(sealed, "q")).toBeNull();
    expect(other?.open(sealed, "p")).toBeNull();
    expect(elsewhere.open(sealed, "p")).toBeNull();
    expect(box?.open(sealed.subarray(0, 20), "p")).toBeNull();
    const name = createSecretBox([newKey]).derive("a cache").lookup("text");
    expect(box?.lookup("text")).toEqual(name);
    expect(other?.lookup("text")).not.toEqual(name);
    expect(elsewhere.lookup("text")).not.toEqual(name);
  });

  it("refuses a secret that was altered in any byte, cut off, or is none", () => {
    const box = createSecretBox([newKey]);
    const sealed = box.seal("secret", "p");
    const bytes = Buffer.from(sealed.split(":")[2] ?? "", "base64url");
    for (const index of bytes.keys()) {
      const altered = Buffer.from(bytes);
      altered[index] = (altered[index] ?? 0) ^ 1;
      const text = sealed.replace(/[^:]+$/, altered.toString("base64url"));
      expect(() => box.open(text, "p")).toThrow(WrongSecretKey);
    }
    for (const text of ["", "v1", "v2:a:b", sealed.slice(0, 20), sealed.replace("v1", "v2")])
      expect(() => box.open(text, "p")).toThrow(WrongSecretKey);
  });

  it("opens with every key that it knows, seals with the newest, and tells what is outdated", () => {
    const before = createSecretBox([oldKey]).seal("secret", "p");
    const box = createSecretBox([newKey, oldKey]);
    expect(box.open(before, "p")).toBe("secret");
    expect(box.isOutdated(before)).toBe(true);
    const after = box.seal("secret", "p");
    expect(box.isOutdated(after)).toBe(false);
    expect(createSecretBox([newKey]).open(after, "p")).toBe("secret");
    expect(() => createSecretBox([newKey]).open(before, "p")).toThrow(/key that is not known here/);
  });
});
