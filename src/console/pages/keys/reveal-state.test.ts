import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTaken, reveal, revealStart, type RevealEvent } from "./reveal-state.ts";

const after = (...events: RevealEvent[]) => events.reduce(reveal, revealStart);
const leave: RevealEvent = { type: "leave" };

describe("the gate", () => {
  it("asks before an unsaved key is left", () => expect(after(leave)).toMatchObject({ asking: true, closed: false }));

  it("takes a second Esc for Go back", () => {
    expect(after(leave, leave)).toMatchObject({ asking: false, closed: false });
    expect(after(leave, leave, leave)).toMatchObject({ asking: true, closed: false });
  });

  it.each([{ type: "copied" }, { type: "downloaded" }, { type: "ticked", on: true }] as const)(
    "opens after %j",
    (event) => {
      expect(after(event, leave).closed).toBe(true);
    },
  );

  it("shuts again when the tick is taken back", () =>
    expect(after({ type: "ticked", on: true }, { type: "ticked", on: false }, leave)).toMatchObject({ asking: true }));

  it("never closes an untaken key by leaving alone, however often", () => {
    const events = fc.array(fc.constantFrom<RevealEvent>(leave, { type: "go-back" }, { type: "ticked", on: false }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(events, (list) => {
        const state = list.reduce(reveal, revealStart);
        expect(isTaken(state)).toBe(false);
        expect(state.closed).toBe(false);
      }),
    );
  });

  it("stays closed", () => {
    const closed = after({ type: "closed" });
    expect(reveal(closed, leave)).toBe(closed);
    expect(reveal(closed, { type: "copied" })).toBe(closed);
  });
});
