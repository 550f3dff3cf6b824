import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { keeps, rateThatKeeps, samplingId, samplingPosition } from "#contract/sampling.ts";
import { sha256Hex } from "#contract/sha256.ts";

/** The position by another way than the contract's: Node's SHA-256, and whole numbers. */
function positionByNode(id: string): number {
  const hash = BigInt(`0x${createHash("sha256").update(id).digest("hex")}`);
  return Number(hash >> 208n) / 2 ** 48;
}

const rates = fc.double({ min: 0.0001, max: 1, noNaN: true });
const anyText = fc.string({ unit: "binary", maxLength: 300 });

describe("the hash", () => {
  it("is Node's SHA-256, of any text and of every length around a block's end", () => {
    const byNode = (text: string) => createHash("sha256").update(text).digest("hex");
    for (const length of [...Array(201).keys(), 1_000_000]) {
      const text = "x".repeat(length);
      expect(sha256Hex(text)).toBe(byNode(text));
    }
    fc.assert(fc.property(anyText, (text) => sha256Hex(text) === byNode(text)));
    // halves of a pair of surrogates, which are no text in UTF-8
    for (const text of ["\ud800", "a\udc00b", "\udc00\ud800", "😀\ud83d"]) expect(sha256Hex(text)).toBe(byNode(text));
  });
});

describe("sampling", () => {
  it("puts a session where its hash falls", () => {
    fc.assert(fc.property(anyText, (id) => samplingPosition(id) === positionByNode(id)));
    // as the forwarder of earlier versions had it: a session that was kept stays kept
    expect(samplingPosition("session:s1")).toBe(
      createHash("sha256").update("session:s1").digest().readUIntBE(0, 6) / 2 ** 48,
    );
  });

  it("keeps what falls below the rate, and all of it at 1", () => {
    fc.assert(fc.property(anyText, rates, (id, rate) => keeps(id, rate) === (rate === 1 || positionByNode(id) < rate)));
    fc.assert(fc.property(anyText, (id) => keeps(id, 1)));
  });

  it("gives a lower rate a part of what a higher one gets", () => {
    fc.assert(
      fc.property(anyText, rates, rates, (id, a, b) => !keeps(id, Math.min(a, b)) || keeps(id, Math.max(a, b))),
    );
  });

  it("names the lowest rate of six digits that keeps a session", () => {
    fc.assert(
      fc.property(anyText, (id) => {
        const rate = rateThatKeeps(id);
        const millionths = Math.round(rate * 1e6);
        expect(rate).toBe(millionths / 1e6);
        expect(rate).toBeGreaterThanOrEqual(0.0001);
        expect(positionByNode(id)).toBeLessThan(rate);
        return millionths === 100 || positionByNode(id) >= (millionths - 1) / 1e6;
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes about its share", () => {
    const calls = Array.from({ length: 20_000 }, (_, index) => `call:gen-${index}`);
    const share = (rate: number) => calls.filter((id) => keeps(id, rate)).length / calls.length;
    // Ten standard deviations of a binomial: a fair hash stays inside.
    expect(Math.abs(share(0.1) - 0.1)).toBeLessThan(0.022);
    expect(share(0.0001)).toBeLessThan(0.001);
  });

  it("goes by the session, then by the trace, then by the call", () => {
    const id = (call: string, sessionId: string | null, trace: ForwardedEvent["trace"]) =>
      samplingId({ id: call, sessionId, trace });
    expect(id("1", "s", { trace_id: "t" })).toBe(id("2", "s", { trace_id: "u" }));
    expect(id("1", null, { trace_id: "t" })).toBe(id("2", "", { trace_id: "t" }));
    expect(id("1", null, { trace_id: 7 })).toBe(id("1", null, null));
    const apart = [id("x", "x", null), id("x", null, { trace_id: "x" }), id("x", null, null)];
    expect(new Set(apart).size).toBe(3);
  });
});
