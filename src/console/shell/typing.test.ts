import { describe, expect, it } from "vitest";
import { typingStep, type Typed } from "./typing.ts";

/** Presses these keys; `|` is where the field loses the focus by itself. Returns those that the page may act on. */
function pressed(keys: readonly string[], { gapMs = 80, pauseMs = 0 } = {}): string[] {
  let typed: Typed = null;
  let at = 0;
  let inField = true;
  return keys.filter((key) => {
    if (key === "|") {
      inField = false;
      at += pauseMs;
      return false;
    }
    at += gapMs;
    const step = typingStep(typed, { key, at, inField });
    typed = step.typed;
    if (key === "Escape") inField = false;
    return !inField && !step.isRest && key !== "Escape";
  });
}

describe("the rest of a word", () => {
  it("is no command where a render took the field's focus, however long it is", () =>
    expect(pressed([..."zebra", "|", ..."-checkout-and-much-more-than-a-second-of-it"])).toEqual([]));

  it("ends with a pause, and with leaving the field on purpose", () => {
    expect(pressed(["z", "|", "c"], { pauseMs: 1_000 })).toEqual(["c"]);
    expect(pressed(["z", "Escape", "j"])).toEqual(["j"]);
  });

  it("is none before anything was typed", () => expect(pressed(["|", "j", "j"])).toEqual(["j", "j"]));
});
