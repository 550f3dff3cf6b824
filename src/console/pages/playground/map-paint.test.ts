import { describe, expect, it } from "vitest";
import { paintOf, paintsFor, type PaintBy } from "./map-paint.ts";
import { stampPoints } from "./map-pixels.ts";
import type { Role } from "./rows.ts";

const row = (group = "", role: Role = "document", text = "text") => ({ group, role, text });
type Shown = ReturnType<typeof row>[];
const nothing = { scores: null, selected: null, clusters: null };
const marksOf = (by: PaintBy, shown: Shown, groups: string[]) => {
  const { colour, shape, legend } = paintOf(by, shown, groups, nothing);
  const entries = legend.kind === "marks" ? legend.entries : [];
  const drawn = entries.map(({ mark }) => `${mark.colour} ${mark.shape}`);
  return {
    pairs: shown.map((_, at) => `${colour[at]} ${shape[at]}`),
    drawn,
    labels: entries.map(({ label }) => label),
  };
};
const labels = (count: number) => Array.from({ length: count }, (_, at) => `label ${at}`);

it("a map's marks are another pair of colour and shape for each label, all of them in the legend", () => {
  const groups = labels(62);
  const marks = marksOf("label", [...groups.map((group) => row(group)), row()], groups);
  expect(new Set(marks.pairs).size).toBe(63);
  expect(marks.labels).toEqual([...groups, "no label"]);
  expect(marks.drawn).toEqual(marks.pairs);
  // the first eight need no second look: neither colour nor shape comes twice
  const eight = marks.pairs.slice(0, 8).map((pair) => pair.split(" "));
  for (const part of [0, 1]) expect(new Set(eight.map((pair) => pair[part])).size).toBe(8);
});

it("a map's marks are one mark for all labels past the pairs that there are, and it is said so", () => {
  const groups = labels(70);
  const { pairs, labels: named } = marksOf(
    "label",
    groups.map((group) => row(group)),
    groups,
  );
  expect([new Set(pairs.slice(0, 62)).size, new Set(pairs.slice(62)).size, new Set(pairs).size]).toEqual([62, 1, 63]);
  expect(named.at(-1)).toBe("8 other labels");
});

it("a map's marks need no legend where nothing has a label, and tell queries from documents", () => {
  expect(marksOf("label", [row(), row()], [])).toEqual({ pairs: ["0 0", "0 0"], drawn: [], labels: [] });
  const roles = marksOf("role", [row("a"), row("a", "query")], ["a"]);
  expect([new Set(roles.pairs).size, roles.labels]).toEqual([2, ["document", "query"]]);
});

it("a map's marks are those of the clusters, by their words or their number, with how many rows each has", () => {
  const names = [["goal", "keeper", "match"], []];
  const clusters = { of: Uint8Array.of(1, 0, 0, 255), sizes: [2, 1], names, typical: [1, 0] };
  const { colour, legend } = paintOf("cluster", [row(), row(), row(), row()], [], { ...nothing, clusters });
  expect([colour[1] === colour[2], colour[0] === colour[1]]).toEqual([true, false]);
  expect(legend).toMatchObject({ entries: [{ label: "goal, keeper (2)" }, { label: "2 (1)" }] });
});

it("a map is colored by the labels where there are any, else the clusters, and by roles only where they differ", () => {
  expect(paintsFor([row("a"), row()], ["a"])).toEqual(["label", "cluster", "length", "similarity"]);
  expect(paintsFor([row(), row("", "query")], [])).toEqual(["cluster", "role", "length", "similarity"]);
  expect(paintsFor([], [])).toEqual(["cluster", "length", "similarity"]);
});

describe("a map's scale", () => {
  const bySimilarity = (scores: Float32Array, selected: number | null) =>
    paintOf(
      "similarity",
      Array.from(scores, () => row()),
      [],
      { ...nothing, scores, selected },
    );

  it("goes from the shortest text to the longest, in characters", () => {
    const shown = [1, 10, 100].map((length) => row("", "document", "x".repeat(length)));
    const { colour, legend } = paintOf("length", shown, [], nothing);
    expect(legend).toEqual({ kind: "scale", from: "1", to: "100 characters" });
    expect([colour[0], colour[2]]).toEqual([0, 6]);
    expect(colour[1]).toBeGreaterThan(0);
  });

  it("is not given away to one far-off row, and says that it goes on", () => {
    const scores = Float32Array.from({ length: 200 }, (_, at) => (at === 9 ? -1 : 0.5 + at / 1_000));
    const { legend, colour } = bySimilarity(scores, 2);
    expect(legend).toEqual({ kind: "scale", from: "≤ 0.50", to: "≥ 0.70" });
    expect([colour[9], colour[199]]).toEqual([0, 6]);
  });

  it("is with the question where one was asked, and leaves no row out", () => {
    const { legend, colour } = bySimilarity(Float32Array.of(0.25, Number.NaN, 1), null);
    expect(legend).toEqual({ kind: "scale", from: "0.25", to: "1.00 with the question" });
    expect([colour[0], colour[2]]).toEqual([0, 6]);
  });

  it("leaves out rows that have no vector and the selected one itself, and is none where nothing is selected", () => {
    const { legend, colour } = bySimilarity(Float32Array.of(0.25, Number.NaN, 1, 0.75), 2);
    expect(legend).toEqual({ kind: "scale", from: "0.25", to: "0.75" });
    expect([colour[0], colour[2], colour[3]]).toEqual([0, 6, 6]);
    expect(paintOf("similarity", [row()], [], nothing).legend).toEqual({ kind: "marks", entries: [] });
  });
});

const black = (width: number, height: number) => {
  return { data: new Uint8ClampedArray(width * height * 4).map((_, at) => (at % 4 === 3 ? 255 : 0)), width, height };
};
/** two by two: one pixel half covered, the others full */
const alphas = [128, 255, 255, 255];
const stamp = { data: Uint8ClampedArray.from(alphas.flatMap((alpha) => [200, 100, 0, alpha])), width: 2, height: 2 };
const reds = ({ data, width, height }: ReturnType<typeof black>) => {
  const line = (y: number) => Array.from({ length: width }, (_, x) => data[(y * width + x) * 4]).join(" ");
  return Array.from({ length: height }, (_, y) => line(y));
};

it("the points' pixels cover what is under a stamp by as much as the stamp says, at the place's middle", () => {
  const target = black(4, 3);
  stampPoints(target, Float32Array.of(1, 0.5), () => stamp, { ratio: 2, alpha: 1, order: Uint32Array.of(0) });
  expect(reds(target)).toEqual(["0 100 200 0", "0 200 200 0", "0 0 0 0"]);
  expect([...target.data.subarray(8, 12)]).toEqual([200, 100, 0, 255]);
});

it("the points' pixels are cut at the edges, left out for some, and thinned", () => {
  const target = black(3, 3);
  const positions = Float32Array.of(0, 0, 3, 3, 1.5, 1.5, -9, 1, 1, 40);
  stampPoints(target, positions, (at) => (at === 2 ? null : stamp), {
    ratio: 1,
    alpha: 0.5,
    order: Uint32Array.of(0, 1, 2, 3, 4),
  });
  expect(reds(target)).toEqual(["100 0 0", "0 0 0", "0 0 50"]);
});
