import { expect, it } from "vitest";
import { editRow, emptyState, makePlaygroundStore, stillThere, type Mode, type Shown } from "./playground.ts";

const rows = [
  { id: 7, text: "too long a text", group: "", role: "document" as const },
  { id: 8, text: "changed since", group: "", role: "document" as const },
];
const row = (source: number, text: string): Shown => ({ text, group: "", role: "document", number: 1, source });
const run = (mode: Mode, ...shown: Shown[]) => ({ mode, shown });

it("a row can be edited as long as the input has it as it was sent", () => {
  const state = { ...emptyState(), rows, text: "a text" };
  const there = stillThere(state, run("batch", row(7, "too long a text"), row(8, "as it was"), row(9, "gone")));
  expect([0, 1, 2, 3].map(there)).toEqual([true, false, false, false]);
  expect(stillThere(state, run("text", row(0, "a text")))(0)).toBe(true);
  expect(stillThere(state, run("text", row(0, "another text")))(0)).toBe(false);
  const [block] = state.blocks;
  expect(stillThere(state, run("multimodal", row(block?.id ?? -1, "")))(0)).toBe(true);
});

it("editing a row opens the input that it came from", () => {
  const store = makePlaygroundStore();
  store.set({ ...store.get(), rows, inputHidden: true });
  editRow(store, run("batch", row(7, "too long a text")), 0);
  expect(store.get()).toMatchObject({ mode: "batch", inputHidden: false, editing: 7 });
});
