import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeFloats, encodeFloats, floatCount } from "./base64.ts";
import { cosineByDefinition, tableAnywhere, tableOf } from "./example-tables.ts";
import { nearestOfEach } from "./nearest-of-each.ts";
import { nearest, rankAgainst, rankEach } from "./neighbours.ts";
import { principalComponents } from "./pca.ts";
import { countPlaces } from "./plane.ts";
import { align } from "./procrustes.ts";
import { makeRandom } from "./random.ts";
import { ranks, ranksOfFloats, spearman } from "./rank-correlation.ts";
import { silhouette } from "./silhouette.ts";
import { chainOrder, closestPairs, similarities } from "./similarity.ts";
import { trustworthiness } from "./trustworthiness.ts";
import { vectorFacts } from "./vector-facts.ts";
import { checkNorms, cosine, viewOf } from "./vectors.ts";

/** Seven points in four dimensions; what is expected of them was worked out with NumPy 2.4 and SciPy, not with this code. */
const points = [
  [1, 2, 0, -1],
  [2, 1, 1, 0],
  [0, 3, -1, 2],
  [-2, 0, 1, 1],
  [1, -1, 2, 3],
  [3, 1, 0, -2],
  [0, 1, 1, 1],
];
const view = viewOf(tableOf(points));
const short = viewOf(view.table, 2);
const near = (values: ArrayLike<number>, digits = 5) =>
  Array.from(values, (value) => expect.closeTo(value, digits) as number);

it("cosines are those of the small case, pair by pair and as a matrix, in all dimensions and in the first two", () => {
  const first = near([1, 0.666667, 0.436436, -0.5, -0.421637, 0.763763, 0.235702]);
  expect(points.map((_, row) => cosine(view, 0, row))).toEqual(first);
  const all = similarities(view);
  expect([...all.values.subarray(0, 7)]).toEqual(first);
  expect(all.values[5 * 7 + 3]).toBeCloseTo(-0.872872, 5);
  const two = [1, 0.8, 0.894427, -0.447214, -0.316228, Math.SQRT1_2, 0.894427];
  expect(points.map((_, row) => cosine(short, 0, row))).toEqual(near(two));
});

it("cosines are of vectors that are made a unit length again where dimensions are left out, in every view", () => {
  expect([checkNorms(view).unit, checkNorms(short).unit]).toEqual([false, true]);
  const facts = vectorFacts(short, 0);
  expect(facts.first).toEqual(near([0.447214, 0.894427]));
  expect(facts.largest.map(({ place }) => place)).toEqual([2, 1]);
  expect(facts.norm).toBeCloseTo(1, 12);
  const { filled, largest } = vectorFacts(viewOf(tableOf([[0, 0, -3, 0, 1, 0]])), 0);
  expect([filled, largest.map(({ place, value }) => `${place}: ${value}`).join()]).toEqual([2, "3: -3,5: 1"]);
  // the picture is that of the rows written down with length 1
  const made = points.map(([x = 0, y = 0]) => [x / Math.hypot(x, y), y / Math.hypot(x, y)]);
  const [cut, whole] = [principalComponents(short, 2, 7), principalComponents(viewOf(tableOf(made)), 2, 7)];
  expect([...cut.explained]).toEqual(near(whole.explained));
  expect([...cut.scores]).toEqual(near(whole.scores));
});

it("cosines leave out rows that are not there, and are 0 with a row of zeros", () => {
  const table = tableOf([...points, [0, 0, 0, 0]]);
  table.present[2] = 0;
  const partial = viewOf(table);
  expect([...partial.rows]).toEqual([0, 1, 3, 4, 5, 6, 7]);
  expect(cosine(partial, 0, 7)).toBe(0);
  expect(checkNorms(partial)).toMatchObject({ unit: false, zero: 1, broken: 0 });
});

it("neighbours are ranked as NumPy ranks them", () => {
  const found = nearest(view, 0, 6);
  expect([...found.rows]).toEqual([5, 1, 2, 6, 4, 3]);
  expect([...found.scores]).toEqual(near([0.763763, 0.666667, 0.436436, 0.235702, -0.421637, -0.5]));
  expect([...nearest(view, 0, 2).rows]).toEqual([5, 1]);
});

it("neighbours are listed under the query that was asked for, and none are made up for a row without a vector", () => {
  const table = tableOf(points);
  table.present[1] = 0;
  const partial = viewOf(table);
  const found = rankEach(partial, [1, 0, 4], [5, 1, 2], 2);
  expect(Object.fromEntries(found.map(({ query, rows }) => [query, [...rows]]))).toEqual({ 0: [5, 2], 4: [2, 5] });
  expect([nearest(partial, 1, 3).rows.length, nearest(partial, 99, 3).rows.length]).toEqual([0, 0]);
});

it("neighbours are ranked against a row of another table, in the dimensions that are looked at", () => {
  const question = viewOf(tableOf(points.slice(0, 1)));
  const found = rankAgainst(view, question, 0);
  // the row that is the same comes first; the others as it ranks them itself
  expect([...found.rows]).toEqual([0, 5, 1, 2, 6, 4, 3]);
  expect([...found.scores]).toEqual(near([1, 0.763763, 0.666667, 0.436436, 0.235702, -0.421637, -0.5]));
  const cut = rankAgainst(short, viewOf(question.table, 2), 0);
  expect([...cut.scores]).toEqual(near([1, 0.894427, 0.894427, 0.8, Math.SQRT1_2, -0.316228, -0.447214]));
  const empty = viewOf(tableOf([[0, 0, 0, 0]]));
  expect([...rankAgainst(view, empty, 0).rows], "all zeros are like nothing").toEqual([]);
  expect(() => rankAgainst(viewOf(tableOf([[1, 0]])), question, 0)).toThrow("has 4 numbers and the rows have 2");
});

it("neighbours come in pairs, the closest first, and in an order that keeps the alike together", () => {
  expect(closestPairs(similarities(view), 3).map(({ i, j }) => `${i} ${j}`)).toEqual(["0 5", "1 5", "0 1"]);
  expect([...chainOrder(similarities(view))].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

const table = tableAnywhere(30, 6, 5);
table.present[4] = 0;
const some = viewOf(table);
const expected = (row: number) =>
  [...some.rows]
    .filter((other) => other !== row)
    .reduce((a, b) => (cosineByDefinition(table, row, b) > cosineByDefinition(table, row, a) ? b : a));

it("the nearest of each row is the one with the highest cosine of all others", async () => {
  let pauses = 0;
  const found = await nearestOfEach(some, async () => void (pauses += 1));
  expect([found.rows, found.of, pauses]).toEqual([some.rows, 29, 29]);
  expect([...found.nearest]).toEqual(Array.from(some.rows, expected));
  const scores = Array.from(some.rows, (row) => cosineByDefinition(table, row, expected(row)));
  expect([...found.scores]).toEqual(near(scores, 6));
});

it("the nearest of each row past the budget is found for a sample of the rows, among all of them", async () => {
  // five rows of 29 numbers each way
  const found = await nearestOfEach(some, async () => undefined, 5 * 29 * 6);
  expect([...found.rows]).toEqual([0, 6, 12, 18, 24]);
  expect([...found.nearest]).toEqual([0, 6, 12, 18, 24].map(expected));
  expect((await nearestOfEach(some, async () => undefined, 0)).rows).toHaveLength(1);
});

it("the nearest of each row is none without another row", async () =>
  expect([...(await nearestOfEach(viewOf(tableOf([[0, 0]])), async () => undefined)).nearest]).toEqual([-1]));

it("principal components explain the variance that NumPy's singular values do, and give its scores", () => {
  const { scores, count, explained } = principalComponents(view, 4, 7);
  expect([...explained]).toEqual(near([0.563743, 0.288291, 0.137598, 0.010368]));
  const [first, second] = [0, 1].map((component) => points.map((_, row) => scores[row * count + component]));
  expect(first).toEqual(near([1.736914, 1.04817, -0.480472, -2.262581, -2.532871, 3.314191, -0.823351], 4));
  expect(second).toEqual(near([0.761012, -0.897158, 2.622679, 0.482345, -2.137087, -0.997643, 0.165853], 4));
});

it("principal components say when no direction stands out, and depend on no seed where they are determined", () => {
  expect(principalComponents(viewOf(tableAnywhere(900, 700, 1)), 6, 7).settled).toBe(false);
  expect(principalComponents(view, 4, 7).settled).toBe(true);
  const [a, b] = [principalComponents(view, 2, 1), principalComponents(view, 2, 99)];
  expect([...a.scores]).toEqual(near(b.scores, 4));
});

it("Spearman's correlation is SciPy's, with ties, and 1 for any order-keeping change of the values", () => {
  expect(spearman([0.1, 0.4, 0.4, 0.9, 0.2, 0.7], [3, 1, 2, 9, 9, 4])).toBeCloseTo(0.23529411764705885, 12);
  expect([...ranks([5, 1, 5, 0])]).toEqual([3.5, 2, 3.5, 1]);
  const distinct = fc.uniqueArray(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 2, maxLength: 30 });
  const cubed = (values: number[]) => values.map((value) => value ** 3 + 7);
  fc.assert(
    fc.property(distinct, (values) => {
      expect(spearman(values, cubed(values))).toBeCloseTo(1);
    }),
  );
});

it.each([
  ["turns and scales as SciPy's orthogonal Procrustes does", 1],
  ["mirrors where that fits better", -1],
])("laying one picture on another %s", (_, up) => {
  const onto = Float32Array.of(1, up, 1, 5 * up, -1, 5 * up, -5, 2 * up);
  const moved = align(Float32Array.of(0, 0, 2, 0, 2, 1, 0, 3), onto);
  expect([...moved]).toEqual(near([0.7, 1.15 * up, 1.1, 4.95 * up, -0.8, 5.15 * up, -5, 1.75 * up]));
});

it("trustworthiness with 1, 2 and 3 neighbours is SciPy's", () => {
  const { scores } = principalComponents(view, 2, 7);
  const found = [1, 2, 3].map((k) => trustworthiness(similarities(view), scores, k));
  expect(found).toEqual(near([0.771429, 0.857143, 0.904762]));
});

describe("the silhouette of groups", () => {
  const table = tableAnywhere(24, 5, 11, 0.1);
  // one that is all zeros, which is at a distance of 1 from every row
  table.data.fill(0, 15, 20);
  const { rows } = viewOf(table);
  /** Three groups of some size, and one of a single row. */
  const assignments = Int32Array.from(rows, (row) => (row === 23 ? 3 : row % 3));

  /** Rousseeuw's definition: every row's mean distance to its own group and to the nearest other, pair by pair. */
  function byPairs(row: number): number {
    const meanTo = (cluster: number) => {
      const others = [...rows].filter((other) => assignments[other] === cluster && other !== row);
      return others.reduce((sum, other) => sum + 1 - cosineByDefinition(table, row, other), 0) / others.length;
    };
    const own = assignments[row] ?? 0;
    const inside = meanTo(own);
    const outside = Math.min(...[0, 1, 2, 3].filter((cluster) => cluster !== own).map(meanTo));
    return own === 3 ? 0 : (outside - inside) / Math.max(inside, outside);
  }

  it("is what its definition gives pair by pair, 0 for a single row, for one group, and for no rows", () => {
    const mean = [...rows].reduce((sum, row) => sum + byPairs(row), 0) / rows.length;
    expect(silhouette(viewOf(table), rows, assignments, 4)).toBeCloseTo(mean, 5);
    expect(silhouette(viewOf(table), rows, new Int32Array(24), 1)).toBe(0);
    expect(silhouette(viewOf(table), new Int32Array(), new Int32Array(), 2)).toBe(0);
  });
});

it("points that lie exactly on one another are counted once", () => {
  expect(countPlaces(new Float32Array())).toBe(0);
  expect(countPlaces(Float32Array.of(0, 0, 0, 1, 0, 0, 1, 0, 0.25, 0.5, 0.25, 0.5, 1, 0))).toBe(4);
});

it("base64 gives back any floats, as another encoder wrote them", () => {
  fc.assert(
    fc.property(fc.float32Array({ minLength: 1, maxLength: 40 }), (floats) => {
      const text = Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString("base64");
      const target = new Float32Array(floats.length + 3);
      expect([encodeFloats([...floats]), floatCount(text)]).toEqual([text, floats.length]);
      expect(decodeFloats(text, target, 2)).toBe(floats.length);
      expect(target.slice(2, 2 + floats.length)).toEqual(floats);
    }),
  );
});

it("millions of float32 numbers are ranked by their bits as one by one, ties and signs included", () => {
  const some = Float32Array.from([0.5, -0.25, 0, -0, 0.5, -1, 0.125, -0.25, 1e-30, -1e-30]);
  expect([...ranksOfFloats(some)]).toEqual([...ranks(some)]);
  const random = makeRandom(11);
  const many = Float32Array.from({ length: 3_000 }, () => Math.round((random() - 0.5) * 500) / 250);
  expect([...ranksOfFloats(many)]).toEqual([...ranks(many)]);
});
