import { expect, it } from "vitest";
import type { Progress, Refused } from "../../vectors/run-batch.ts";
import { attemptsOf } from "./attempts.ts";
import { comparableRuns } from "./comparable-runs.ts";
import { groupFacts } from "./group-facts.ts";
import { matrixParts } from "./matrix-parts.ts";
import { megabytes, roomFor } from "./memory.ts";
import { editRow, emptyState, makePlaygroundStore, stillThere, type Mode, type Run, type Shown } from "./playground.ts";
import { bodyOf, PlaygroundSearch } from "./settings.ts";

const rows = ["too long a text", "changed since"].map((text, at) => {
  return { id: at + 7, text, group: "", role: "document" as const };
});
const sent = (mode: Mode, ...shown: [source: number, text: string][]) => {
  const row = { group: "", role: "document" as const, number: 1 };
  return { mode, shown: shown.map(([source, text]): Shown => ({ ...row, source, text })) };
};

it("a row can be edited as long as the input has it as it was sent, in the input that it came from", () => {
  const state = { ...emptyState(), rows, text: "a text" };
  const there = stillThere(state, sent("batch", [7, "too long a text"], [8, "as it was"], [9, "gone"]));
  expect([0, 1, 2, 3].map(there)).toEqual([true, false, false, false]);
  const text = ["a text", "another text"].map((one) => stillThere(state, sent("text", [0, one]))(0));
  expect(text).toEqual([true, false]);
  expect(stillThere(state, sent("multimodal", [state.blocks[0]?.id ?? -1, ""]))(0)).toBe(true);
  const store = makePlaygroundStore();
  store.set({ ...store.get(), rows, inputHidden: true });
  editRow(store, sent("batch", [7, "too long a text"]), 0);
  expect(store.get()).toMatchObject({ mode: "batch", inputHidden: false, editing: 7 });
});

it("room for vectors is asked for before anything is sent, and made by the oldest runs, as few as it takes", () => {
  const run = (id: number, rows: number, dimensions: number | null) =>
    ({ id, items: Array.from({ length: rows }), dimensions }) as unknown as Run;
  const held = [run(3, 10, null), run(2, 10_000, 3_072), run(1, 10_000, 3_072)];
  const room = roomFor(10_000, 3_072, held);
  expect([room.needed, room.free].map(megabytes)).toEqual(["118 MB", "22 MB"]);
  expect(room.letGo?.map(({ id }) => id)).toEqual([1]);
  expect(roomFor(1_000, 1_536, held).letGo).toEqual([]);
  // more than there is
  expect(roomFor(30_000, 3_072, [run(1, 10, 64)]).letGo).toBeNull();
});

/** A run by its texts, one for each letter. */
const run = (id: number, texts: string, done = texts.length) =>
  ({ id, shown: [...texts].map((text) => ({ text })), progress: { done } }) as unknown as Run;
it.each([
  ["the two latest of the same texts", [run(4, "abc"), run(3, "ab"), run(2, "ab"), run(1, "ab")], [], [2, 3]],
  ["the latest with an earlier one", [run(4, "abc"), run(3, "ab"), run(2, "abc")], [], [2, 4]],
  ["none without vectors", [run(3, "ab", 0), run(2, "ab"), run(1, "ab")], [], [1, 2]],
  ["nothing where no two fit", [run(2, "ab"), run(1, "abc")], [], []],
  ["what was chosen", [run(4, "abc"), run(3, "ab"), run(2, "abc"), run(1, "ab")], [1, 3], [1, 3]],
  ["a single one and the latest that fits it", [run(3, "ab"), run(2, "abc"), run(1, "ab")], [1], [1, 3]],
  ["a single one that none fits", [run(2, "ab"), run(1, "abc")], [1], [1]],
])("a comparison opens with %s", (_, runs, chosen, ids) => expect(comparableRuns(runs, chosen)).toEqual(ids));

it("a matrix can be of a sample, of what was picked, and of labels, none larger than a matrix", () => {
  const group = (row: number) => (row < 3_000 ? "all over" : row < 3_040 ? "shipping" : "");
  const shown = Array.from({ length: 5_000 }, (_, row) => {
    return { number: row + 1, text: `text ${row}`, group: group(row) } as Shown;
  });
  const parts = matrixParts(shown, [4, 9, 14]);
  const words = ["A sample of 500 rows", "3 rows picked on the map", "shipping, 40 rows"];
  expect(parts.map((part) => part.words)).toEqual(words);
  // evenly over the run, so that it is a sample of all of it
  expect(parts[0]?.rows.slice(0, 3)).toEqual([0, 10, 20]);
  expect(parts[2]?.rows).toEqual(Array.from({ length: 40 }, (_, at) => 3_000 + at));
  // of rows that have a vector
  const failures: Progress["failures"] = [[0, { status: 400 } as Refused]];
  const [sample] = matrixParts(shown, null, failures);
  expect([sample?.rows.length, sample?.rows.includes(0)]).toEqual([500, false]);
});

it("a group's rows are compared with the label that most of its labeled rows have, or the first of two", () => {
  const shown = (labels: string) => [...labels].map((label) => ({ group: label === "." ? "" : label }));
  const of = Uint8Array.of(0, 0, 0, 0, 1, 1, 2, 255);
  const clusters = { of, sizes: [4, 2, 1], names: [["goal"], [], []], typical: [3, 4, 6] };
  expect(groupFacts(clusters, shown("aab.bb.a"))).toEqual([
    { size: 4, words: ["goal"], typical: 3, main: { label: "a", count: 2, labeled: 3 }, elsewhere: [2] },
    { size: 2, words: [], typical: 4, main: { label: "b", count: 2, labeled: 2 }, elsewhere: [] },
    { size: 1, words: [], typical: 6, main: null, elsewhere: [] },
  ]);
  const one = { of: Uint8Array.of(0, 0, 0, 0), sizes: [4], names: [[]], typical: [0] };
  expect(groupFacts(one, shown("baab"))[0]).toMatchObject({ main: { label: "b", count: 2 }, elsewhere: [1, 2] });
});

it("names all who answered a run's calls, each call that took more than one try, and what was charged for nothing", () => {
  const attempt = (provider_name: string, status: number | null) => {
    return { provider_name, model_permaslug: "embed", endpoint_id: "e", status, latency: 12, is_byok: false };
  };
  const record = (provider_name: string, ...tries: ReturnType<typeof attempt>[]) => {
    return { provider_name, provider_responses: tries.length === 0 ? null : tries };
  };
  const second = record("Beta", attempt("a", 503), attempt("c", null), attempt("b", 200));
  const counted = { Beta: 2, Alpha: 1 };
  expect(attemptsOf([record("Alpha", attempt("a", 200)), second, record("Beta")])).toEqual({
    answered: Object.entries(counted).map(([name, calls]) => ({ name, calls })),
    retried: [{ call: 2, attempts: [attempt("Alpha", 503), attempt("c", null), attempt("Beta", 200)] }],
    unanswered: 0,
  });
  expect(attemptsOf([])).toEqual({ answered: [], retried: [], unanswered: 0 });
  const silent = { ...attempt("a", null), cost: 0.25 };
  const charged = record("Beta", silent, silent, attempt("b", 200));
  expect(attemptsOf([charged, charged]).unanswered).toBe(1);
});

it("the required vector space goes along as a preference, and an address with anything else as one is without", () => {
  const space = "vs_1f0a93c27be45d6680aa-1536";
  const provider = { allow_fallbacks: false, require_vector_space: space };
  const body = bodyOf(PlaygroundSearch.parse({ space, fallbacks: false }), "acme/embed");
  expect(body).toEqual({ model: "acme/embed", provider });
  expect(PlaygroundSearch.parse({ space: "my words" })).toEqual({ space: undefined });
});
