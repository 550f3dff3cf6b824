import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeFloats, encodeFloats, floatCount } from "./base64.ts";
import { nearest, rankAgainst, rankEach } from "./neighbours.ts";
import { principalComponents } from "./pca.ts";
import { align } from "./procrustes.ts";
import { makeRandom } from "./random.ts";
import { ranks, spearman } from "./rank-correlation.ts";
import { chainOrder, closestPairs, similarities } from "./similarity.ts";
import { trustworthiness } from "./trustworthiness.ts";
import { vectorFacts } from "./vector-facts.ts";
import { checkNorms, cosine, makeTable, viewOf } from "./vectors.ts";

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

function tableOf(rows: number[][]) {
  const table = makeTable(rows.length, rows[0]?.length ?? 0);
  table.data.set(rows.flat());
  table.present.fill(1);
  return table;
}

const view = viewOf(tableOf(points));
const near = (values: ArrayLike<number>) => Array.from(values, (value) => expect.closeTo(value, 5) as number);

describe("cosines", () => {
  it("are those of the small case, pair by pair and as a matrix", () => {
    const first = [1, 0.666667, 0.436436, -0.5, -0.421637, 0.763763, 0.235702];
    expect(points.map((_, row) => cosine(view, 0, row))).toEqual(near(first));
    const all = similarities(view);
    expect([...all.values.subarray(0, 7)]).toEqual(near(first));
    expect(all.values[5 * 7 + 3]).toBeCloseTo(-0.872872, 5);
  });

  it("are those of the first two dimensions where no more are used", () => {
    const short = viewOf(view.table, 2);
    const first = [1, 0.8, 0.894427, -0.447214, -0.316228, Math.SQRT1_2, 0.894427];
    expect(points.map((_, row) => cosine(short, 0, row))).toEqual(near(first));
  });

  it("are of vectors that are made a unit length again where dimensions are left out, in every view", () => {
    const short = viewOf(view.table, 2);
    expect(checkNorms(view)).toMatchObject({ unit: false });
    expect(checkNorms(short)).toMatchObject({ unit: true });
    const facts = vectorFacts(short, 0);
    expect(facts.first).toEqual(near([0.447214, 0.894427]));
    expect(facts.largest.map(({ place }) => place)).toEqual([2, 1]);
    const bare = vectorFacts(viewOf(tableOf([[0, 0, -3, 0, 1, 0]])), 0);
    expect([bare.filled, bare.largest]).toEqual([
      2,
      [
        { place: 3, value: -3 },
        { place: 5, value: 1 },
      ],
    ]);
    expect(facts.norm).toBeCloseTo(1, 12);
    // the picture is that of the rows written down with length 1
    const made = points.map(([x = 0, y = 0]) => [x / Math.hypot(x, y), y / Math.hypot(x, y)]);
    const [cut, whole] = [principalComponents(short, 2, 7), principalComponents(viewOf(tableOf(made)), 2, 7)];
    expect([...cut.explained]).toEqual(near(whole.explained));
    expect([...cut.scores]).toEqual(near(whole.scores));
  });

  it("leave out rows that are not there, and are 0 with a row of zeros", () => {
    const table = tableOf([...points, [0, 0, 0, 0]]);
    table.present[2] = 0;
    const partial = viewOf(table);
    expect([...partial.rows]).toEqual([0, 1, 3, 4, 5, 6, 7]);
    expect(cosine(partial, 0, 7)).toBe(0);
    expect(checkNorms(partial)).toMatchObject({ unit: false, zero: 1, broken: 0 });
  });
});

describe("neighbours", () => {
  it("are ranked as NumPy ranks them", () => {
    const found = nearest(view, 0, 6);
    expect([...found.rows]).toEqual([5, 1, 2, 6, 4, 3]);
    expect([...found.scores]).toEqual(near([0.763763, 0.666667, 0.436436, 0.235702, -0.421637, -0.5]));
    expect([...nearest(view, 0, 2).rows]).toEqual([5, 1]);
  });

  it("are listed under the query that was asked for, and none are made up for a row without a vector", () => {
    const table = tableOf(points);
    table.present[1] = 0;
    const partial = viewOf(table);
    const found = rankEach(partial, [1, 0, 4], [5, 1, 2], 2);
    expect(found.map(({ query, rows }) => [query, [...rows]])).toEqual([
      [0, [5, 2]],
      [4, [2, 5]],
    ]);
    expect([...nearest(partial, 1, 3).rows]).toEqual([]);
    expect([...nearest(partial, 99, 3).rows]).toEqual([]);
  });

  it("are ranked against a row of another table, in the dimensions that are looked at", () => {
    const question = viewOf(tableOf(points.slice(0, 1)));
    const found = rankAgainst(view, question, 0);
    // the row that is the same comes first; the others as it ranks them itself
    expect([...found.rows]).toEqual([0, 5, 1, 2, 6, 4, 3]);
    expect([...found.scores]).toEqual(near([1, 0.763763, 0.666667, 0.436436, 0.235702, -0.421637, -0.5]));
    const cut = rankAgainst(viewOf(view.table, 2), viewOf(question.table, 2), 0);
    expect([...cut.scores]).toEqual(near([1, 0.894427, 0.894427, 0.8, Math.SQRT1_2, -0.316228, -0.447214]));
    const empty = viewOf(tableOf([[0, 0, 0, 0]]));
    expect([...rankAgainst(view, empty, 0).rows], "all zeros are like nothing").toEqual([]);
    expect(() => rankAgainst(viewOf(tableOf([[1, 0]])), question, 0)).toThrow("has 4 numbers and the rows have 2");
  });

  it("come in pairs, the closest first, and in an order that keeps the alike together", () => {
    expect(closestPairs(similarities(view), 3).map(({ i, j }) => [i, j])).toEqual([
      [0, 5],
      [1, 5],
      [0, 1],
    ]);
    expect([...chainOrder(similarities(view))].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

describe("principal components", () => {
  it("explain the variance that NumPy's singular values do, and give its scores", () => {
    const { scores, count, explained } = principalComponents(view, 4, 7);
    expect([...explained]).toEqual(near([0.563743, 0.288291, 0.137598, 0.010368]));
    expect(points.map((_, i) => [scores[i * count], scores[i * count + 1]])).toEqual(
      [
        [1.736914, 0.761012],
        [1.04817, -0.897158],
        [-0.480472, 2.622679],
        [-2.262581, 0.482345],
        [-2.532871, -2.137087],
        [3.314191, -0.997643],
        [-0.823351, 0.165853],
      ].map((pair) => pair.map((value) => expect.closeTo(value, 4) as number)),
    );
  });

  it("say when no direction stands out and the search ended before it found the best", () => {
    const random = makeRandom(1);
    const noise = Array.from({ length: 900 }, () => Array.from({ length: 700 }, () => random() - 0.5));
    expect(principalComponents(viewOf(tableOf(noise)), 6, 7).settled).toBe(false);
    expect(principalComponents(view, 4, 7).settled).toBe(true);
  });

  it("do not depend on the seed where they are determined", () => {
    const [a, b] = [principalComponents(view, 2, 1), principalComponents(view, 2, 99)];
    expect([...a.scores]).toEqual([...b.scores].map((value) => expect.closeTo(value, 4) as number));
  });
});

describe("Spearman's correlation", () => {
  it("is SciPy's, with ties", () => {
    expect(spearman([0.1, 0.4, 0.4, 0.9, 0.2, 0.7], [3, 1, 2, 9, 9, 4])).toBeCloseTo(0.23529411764705885, 12);
    expect([...ranks([5, 1, 5, 0])]).toEqual([3.5, 2, 3.5, 1]);
  });

  it("is 1 for any order-keeping change of the values", () => {
    const distinct = fc.uniqueArray(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(distinct, (values) => {
        expect(
          spearman(
            values,
            values.map((value) => value ** 3 + 7),
          ),
        ).toBeCloseTo(1);
      }),
    );
  });
});

describe("laying one picture on another", () => {
  const from = Float32Array.of(0, 0, 2, 0, 2, 1, 0, 3);
  it("turns and scales as SciPy's orthogonal Procrustes does", () => {
    const moved = align(from, Float32Array.of(1, 1, 1, 5, -1, 5, -5, 2));
    expect([...moved]).toEqual(near([0.7, 1.15, 1.1, 4.95, -0.8, 5.15, -5, 1.75]));
  });
  it("mirrors where that fits better", () => {
    const moved = align(from, Float32Array.of(1, -1, 1, -5, -1, -5, -5, -2));
    expect([...moved]).toEqual(near([0.7, -1.15, 1.1, -4.95, -0.8, -5.15, -5, -1.75]));
  });
});

describe("trustworthiness", () => {
  const { scores } = principalComponents(view, 2, 7);
  it.each([
    [1, 0.771429],
    [2, 0.857143],
    [3, 0.904762],
  ])("with %i neighbours is %f", (k, expected) => {
    expect(trustworthiness(similarities(view), scores, k)).toBeCloseTo(expected, 5);
  });
});

describe("base64", () => {
  it("gives back any floats, as another encoder wrote them", () => {
    fc.assert(
      fc.property(fc.float32Array({ minLength: 1, maxLength: 40 }), (floats) => {
        const text = Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString("base64");
        const target = new Float32Array(floats.length + 3);
        expect(encodeFloats([...floats])).toBe(text);
        expect(floatCount(text)).toBe(floats.length);
        expect(decodeFloats(text, target, 2)).toBe(floats.length);
        expect(target.slice(2, 2 + floats.length)).toEqual(floats);
      }),
    );
  });
});
