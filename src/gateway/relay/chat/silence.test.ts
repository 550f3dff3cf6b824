import { beforeEach, describe, expect, it } from "vitest";
import { Silence } from "./silence.ts";

describe("Silence", () => {
  let now = 0;
  let silence: Silence;
  beforeEach(() => {
    now = 5_000;
    silence = new Silence(5_000, () => now);
  });
  function hear(afterMs: number, word: boolean) {
    silence.wait();
    now += afterMs;
    silence.hear(word);
  }

  it("counts all before the first word, and what is still under way", () => {
    now += 300;
    expect(silence.ms).toBe(300);
    silence.hear(true);
    expect(silence.ms).toBe(300);
  });

  it("counts each long pause after it, but no short ones", () => {
    hear(100, true);
    for (let words = 0; words < 50; words += 1) hear(200, true);
    expect(silence.ms).toBe(100);
    hear(13_000, true);
    hear(200, true);
    hear(2_000, true);
    expect(silence.ms).toBe(15_100);
  });

  it("counts the pause in which nothing came any more", () => {
    hear(100, true);
    silence.wait();
    now += 10_000;
    expect(silence.ms).toBe(10_100);
  });

  it("is not broken by events without a word", () => {
    hear(100, true);
    for (let events = 0; events < 20; events += 1) hear(500, false);
    expect(silence.ms).toBe(10_100);
    hear(500, true);
    expect(silence.ms).toBe(10_600);
  });

  it("leaves out what the caller takes for reading", () => {
    hear(100, true);
    now += 60_000;
    hear(200, true);
    now += 60_000;
    expect(silence.ms).toBe(100);
  });
});
