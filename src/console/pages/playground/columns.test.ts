import { expect, it } from "vitest";
import { kindOf, labeledBy, matching, numbersOf } from "./columns.ts";
import { exportName, exportRows } from "./export-rows.ts";
import { mixedOrder } from "./map-order.ts";
import { placeTexts } from "./map-texts.ts";
import type { Shown } from "./playground.ts";
import { exampleToAsk } from "./show-results.ts";

const cells = [
  { id: "t1", agent: "Ann", score: "1.5", day: "2026-01-02" },
  { id: "t2", agent: "Bob Ross", score: "", day: "2026-02-02" },
  { id: "t3", agent: "Ann", score: "7", day: "2026-03-02" },
];
const shown = cells.map((fields, at): Shown => ({
  text: `Row ${at} of them`,
  group: at === 1 ? "late" : "",
  role: "document",
  number: at + 1,
  source: 1,
  fields,
}));

it("further columns are colors where they tell rows apart: names, dates, many numbers, but no ids", () => {
  const many = Array.from({ length: 20 }, (_, at) => ({ ...shown[0], fields: { n: String(at) } }) as Shown);
  const kinds = ["id", "agent", "day"].map((name) => kindOf(shown, name));
  expect([...kinds, kindOf(many, "n")]).toEqual([null, "names", "dates", "numbers"]);
  expect(labeledBy(shown, "agent").map(({ group }) => group)).toEqual(["Ann", "Bob Ross", "Ann"]);
  expect([...numbersOf(shown, "score")]).toEqual([1.5, Number.NaN, 7]);
});

it("a filter finds words in all columns, or a value in one", () => {
  const found = [
    "ann",
    "agent:bob",
    'agent:"bob ross" row',
    "label:late",
    "agent:t1",
    "row 2026-03 ann",
    "role:document",
    "x:y",
  ];
  expect(found.map((query) => matching(shown, query))).toEqual([[0, 2], [1], [1], [1], [], [2], [0, 1, 2], []]);
});

it("files have the columns, and places and groups as far as the map was looked at", () => {
  const points = { rows: Int32Array.of(0, 2), points: Float32Array.of(1, 2, 3, 4) };
  const clusters = { of: Uint8Array.of(1, 255, 0), sizes: [1, 1], names: [["a", "b"], []], typical: [2, 0] };
  const facts = { run: 1, points, clusters: { ...clusters, fit: { silhouette: 0, among: 2 }, best: null } };
  const [first, second, third] = exportRows({ shown }, facts);
  expect(first?.fields).toMatchObject({ id: "t1", map_x: 1, map_y: 2, cluster: 2, cluster_words: "" });
  expect(second?.fields).toMatchObject({ map_x: "", cluster: "", cluster_words: "" });
  expect(third?.fields).toMatchObject({ map_x: 3, cluster: 1, cluster_words: "a b" });
  expect(exportRows({ shown }, undefined)[0]?.fields).toEqual(cells[0]);
  expect(exportName({ model: "acme/embed:1", id: 3, example: null }, "_picked")).toBe(
    "embeddings_acme-embed-1_run-3_picked",
  );
});

it("points are drawn in a mixed order that is the same each time and leaves none out", () => {
  const order = [...mixedOrder(500)];
  expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, at) => at));
  expect(order.slice(0, 20)).not.toEqual(Array.from({ length: 20 }, (_, at) => at));
  expect([...mixedOrder(500)]).toEqual(order);
});

it("texts are written at points once at most sixty are in sight", () => {
  const scene = (count: number) => ({
    positions: Float32Array.from({ length: count * 2 }, (_, at) => (at < 120 ? 5 : 500)),
    rows: Int32Array.from({ length: count }, (_, at) => at),
    width: 100,
    height: 100,
    textOf: (row: number) => `text  number ${row} which is longer than there is room`,
  });
  expect(placeTexts(scene(80))).toHaveLength(60);
  expect(placeTexts(scene(1))[0]?.text).toBe("text number 0 which is longer t…");
  const crowded = { ...scene(61), positions: new Float32Array(122) };
  expect(placeTexts(crowded)).toEqual([]);
});

it("one text falls onto the example, unless a person chose another model, view or setting", () => {
  const example = { id: 0, example: {}, model: "m" } as never;
  const state = { mode: "text" as const, runs: [example], current: 0 };
  expect(exampleToAsk(state, {})).toBe(example);
  expect(exampleToAsk(state, { view: "map", model: "m" })).toBe(example);
  for (const search of [{ model: "other" }, { view: "vectors" as const }, { dimensions: 8 }])
    expect(exampleToAsk(state, search)).toBeNull();
  expect(exampleToAsk({ ...state, mode: "batch" }, {})).toBeNull();
});
