import { describe, expect, it } from "vitest";
import { paintOf, paintsFor, type PaintBy } from "./map-paint.ts";
import type { Role } from "./rows.ts";

const row = (group: string, role: Role = "document", text = "text") => ({ group, role, text });
const nothing = { scores: null, selected: null, clusters: null };
const marksOf = (by: PaintBy, shown: ReturnType<typeof row>[], groups: string[]) => {
  const { colour, shape, legend } = paintOf(by, shown, groups, nothing);
  return { pairs: shown.map((_, at) => `${colour[at]} ${shape[at]}`), legend };
};

describe("a map's marks", () => {
  it("are another pair of colour and shape for each label, all of them in the legend", () => {
    const groups = Array.from({ length: 62 }, (_, at) => `label ${at}`);
    const { pairs, legend } = marksOf("label", [...groups.map((group) => row(group)), row("")], groups);
    expect(new Set(pairs).size).toBe(63);
    expect(legend.kind === "marks" && legend.entries.map(({ label }) => label)).toEqual([...groups, "no label"]);
    const drawn = legend.kind === "marks" && legend.entries.map(({ mark }) => `${mark.colour} ${mark.shape}`);
    expect(drawn).toEqual(pairs);
    // the first eight need no second look: neither colour nor shape comes twice
    for (const part of [0, 1]) expect(new Set(pairs.slice(0, 8).map((pair) => pair.split(" ")[part])).size).toBe(8);
  });

  it("are one mark for all labels past the pairs that there are, and it is said so", () => {
    const groups = Array.from({ length: 70 }, (_, at) => `label ${at}`);
    const shown = groups.map((group) => row(group));
    const { pairs, legend } = marksOf("label", shown, groups);
    expect(new Set(pairs.slice(0, 62)).size).toBe(62);
    expect(new Set(pairs.slice(62)).size).toBe(1);
    expect(pairs.slice(0, 62)).not.toContain(pairs[62]);
    expect(legend.kind === "marks" && legend.entries.at(-1)?.label).toBe("8 other labels");
  });

  it("need no legend where nothing has a label", () => {
    const { pairs, legend } = marksOf("label", [row(""), row("")], []);
    expect(pairs).toEqual(["0 0", "0 0"]);
    expect(legend).toEqual({ kind: "marks", entries: [] });
  });

  it("tell queries from documents", () => {
    const { pairs, legend } = marksOf("role", [row("a"), row("a", "query")], ["a"]);
    expect(new Set(pairs).size).toBe(2);
    expect(legend.kind === "marks" && legend.entries.map(({ label }) => label)).toEqual(["document", "query"]);
  });

  it("are those of the clusters, by their words or their number, with how many rows each has", () => {
    const names = [["goal", "keeper", "match"], []];
    const clusters = { of: Uint8Array.of(1, 0, 0, 255), sizes: [2, 1], names, typical: [1, 0] };
    const paint = paintOf("cluster", [row(""), row(""), row(""), row("")], [], {
      scores: null,
      selected: null,
      clusters,
    });
    expect(paint.colour[1]).toBe(paint.colour[2]);
    expect(paint.colour[0]).not.toBe(paint.colour[1]);
    expect(paint.legend).toMatchObject({ entries: [{ label: "goal, keeper (2)" }, { label: "2 (1)" }] });
  });
});

describe("what a map is colored by", () => {
  it("is the labels where there are any, else the clusters, and roles only where they differ", () => {
    expect(paintsFor([row("a"), row("")], ["a"])).toEqual(["label", "cluster", "length", "similarity"]);
    expect(paintsFor([row(""), row("", "query")], [])).toEqual(["cluster", "role", "length", "similarity"]);
    expect(paintsFor([], [])).toEqual(["cluster", "length", "similarity"]);
  });
});

describe("a map's scale", () => {
  it("goes from the shortest text to the longest, in characters", () => {
    const shown = [1, 10, 100].map((length) => row("", "document", "x".repeat(length)));
    const { colour, legend } = paintOf("length", shown, [], nothing);
    expect(colour[0]).toBe(0);
    expect(colour[1]).toBeGreaterThan(0);
    expect(legend).toEqual({ kind: "scale", from: "1", to: "100 characters" });
    expect(colour[2]).toBe(6);
  });

  it("is not given away to one far-off row, and says that it goes on", () => {
    const scores = Float32Array.from({ length: 200 }, (_, at) => (at === 9 ? -1 : 0.5 + at / 1_000));
    const { legend, colour } = paintOf(
      "similarity",
      Array.from(scores, () => row("")),
      [],
      { scores, selected: 2, clusters: null },
    );
    expect(legend).toEqual({ kind: "scale", from: "≤ 0.50", to: "≥ 0.70" });
    expect([colour[9], colour[199]]).toEqual([0, 6]);
  });

  it("is with the question where one was asked, and leaves no row out", () => {
    const scores = Float32Array.of(0.25, Number.NaN, 1);
    const paint = paintOf("similarity", [row(""), row(""), row("")], [], { scores, selected: null, clusters: null });
    expect(paint.legend).toEqual({ kind: "scale", from: "0.25", to: "1.00 with the question" });
    expect([paint.colour[0], paint.colour[2]]).toEqual([0, 6]);
  });

  it("leaves out rows that have no vector and the selected one itself, and is none where nothing is selected", () => {
    const shown = [row(""), row(""), row("")];
    const scores = Float32Array.of(0.25, Number.NaN, 1, 0.75);
    const paint = paintOf("similarity", [...shown, row("")], [], { scores, selected: 2, clusters: null });
    expect(paint.legend).toEqual({ kind: "scale", from: "0.25", to: "0.75" });
    expect([...paint.colour].filter((_, at) => at !== 1)).toEqual([0, 6, 6]);
    expect(paintOf("similarity", shown, [], nothing).legend).toEqual({ kind: "marks", entries: [] });
  });
});
