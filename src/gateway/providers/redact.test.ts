import { describe, expect, it } from "vitest";
import { runAtOnce } from "../turns.ts";
import type { Upstream } from "./provider.ts";
import { cleanParsed, withoutKey } from "./redact.ts";

const apiKey = "sk-canary-0123456789-abcdef";
const upstream: Upstream = {
  slug: "acme",
  kind: "openai-compatible",
  baseUrl: "http://127.0.0.1",
  apiKey,
  options: {},
};
const escaped = (text: string) => text.replaceAll(/./g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
const clean = (value: unknown) => runAtOnce(cleanParsed(upstream, Buffer.from(JSON.stringify(value)), value)).parsed;

describe("what a vendor says, without the key", () => {
  it("leaves escapes as they are where they do not spell the key", () => {
    const text = String.raw`{"a":"\u0022caf\u00e9\u005c\/","b":"\\u0041"}`;
    expect(withoutKey(upstream, text)).toBe(text);
    const both = `${text.slice(0, -1)},"c":"${escaped(apiKey)}"}`;
    expect(JSON.parse(withoutKey(upstream, both))).toMatchObject({ a: '"café\\/', c: "[key]" });
  });

  it("hides the key in a long text wherever it stands, and however it is written", () => {
    const length = 70_000;
    for (const key of [apiKey, escaped(apiKey), Buffer.from(apiKey).toString("base64")]) {
      for (let at = 65_536 - key.length - 2; at < 65_540; at += 3) {
        const text = `${"x".repeat(at)} ${key} ${"y".repeat(length)}`;
        expect(clean({ text })).toEqual({ text: `${"x".repeat(at)} [key] ${"y".repeat(length)}` });
      }
    }
  });

  it("pauses within one long text that repeats the beginning of the key, and tells none of it", () => {
    const start = apiKey.slice(0, 12);
    const value = { text: start.repeat(100_000) };
    const steps = cleanParsed(upstream, Buffer.from(JSON.stringify(value)), value);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(pauses).toBeGreaterThan(10);
    expect(JSON.stringify(step.value)).not.toContain(start);
  });

  it("hides it in names", () => {
    expect(clean([{ [apiKey]: 1, a: [{ [`x ${apiKey}`]: null }] }])).toEqual([
      { "[key]": 1, a: [{ "x [key]": null }] },
    ]);
  });
});
