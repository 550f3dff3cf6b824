import * as fc from "fast-check";
import { expect, it } from "vitest";
import { memoryStorage } from "../../form/example-storage.ts";
import { isTaken, reveal, revealStart, type RevealEvent } from "./reveal-state.ts";
import { forgetUnsaved, noteUnsaved, readUnsaved } from "./unsaved.ts";

const after = (...events: RevealEvent[]) => events.reduce(reveal, revealStart);
const leave: RevealEvent = { type: "leave" };
const ticked = (on: boolean): RevealEvent => ({ type: "ticked", on });

it.each<[string, RevealEvent[], object]>([
  ["asks before an unsaved key is left", [leave], { asking: true, closed: false }],
  ["takes a second Esc for Go back", [leave, leave], { asking: false, closed: false }],
  ["asks again at the third", [leave, leave, leave], { asking: true, closed: false }],
  ["opens once the key was copied", [{ type: "copied" }, leave], { closed: true }],
  ["opens once it was downloaded", [{ type: "downloaded" }, leave], { closed: true }],
  ["opens once it was ticked", [ticked(true), leave], { closed: true }],
  ["shuts again when the tick is taken back", [ticked(true), ticked(false), leave], { asking: true }],
])("the gate %s", (_, events, state) => expect(after(...events)).toMatchObject(state));

it("the gate never closes an untaken key by leaving alone, however often, and stays closed", () => {
  const event = fc.constantFrom<RevealEvent>(leave, { type: "go-back" }, ticked(false));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const state = after(...events);
      expect([isTaken(state), state.closed]).toEqual([false, false]);
    }),
  );
  const closed = after({ type: "closed" });
  for (const event of [leave, { type: "copied" } as const]) expect(reveal(closed, event)).toBe(closed);
});

const hash = "ab".repeat(32);
it("a key that was not saved is there after a reload, by its hash alone, and not once it was saved", () => {
  const store = memoryStorage();
  noteUnsaved(store, hash, "api-key");
  expect([...store.entries.values()]).toEqual([`{"hash":"${hash}"}`]);
  expect(readUnsaved(store, "api-key")).toBe(hash);
  forgetUnsaved(store, "api-key");
  expect(readUnsaved(store, "api-key")).toBeNull();
});

it.each(["", "{}", "null", '{"hash":"sk-gh-v1-x"}'])("a key that was not saved is not %j in its place", (text) => {
  const store = memoryStorage();
  store.setItem("gatehouse.unsaved-key", text);
  expect(readUnsaved(store, "api-key")).toBeNull();
});
