import { describe, expect, it } from "vitest";
import type { Hit } from "./map-positions.ts";
import { paintOf } from "./map-paint.ts";
import type { Sprite } from "./map-sprites.ts";
import { mapSvg } from "./map-svg.ts";

const inks = {
  points: ["#111111", "#222222", "#333333", "#444444", "#555555", "#666666", "#777777", "#888888"],
  ink: "#000000",
  ground: "#ffffff",
  line: "#cccccc",
};

function drawn(
  groups: string[],
  by: "label" | "length" = "label",
  sprites: (Sprite | null)[] | null = null,
  hits: Hit[] = [],
  zero: readonly [number, number] | null = [200, 150],
) {
  const shown = groups.map((group) => ({ group, role: "document" as const, text: `secret of ${group}` }));
  const names = [...new Set(groups)];
  return mapSvg(
    {
      width: 400,
      height: 300,
      ratio: 2,
      positions: Float32Array.from(groups.flatMap((_, at) => [at * 10, at * 5])),
      zero,
      rows: Int32Array.from(groups.keys()),
      paint: paintOf(by, shown, names, { scores: null, selected: null, clusters: null }),
      selected: -1,
      near: [],
      sprites,
      side: 28,
      hits,
      picked: null,
      numberOf: (row) => row + 1,
      titles: groups.includes("named") ? [{ text: "goal <1>", x: 50, y: 20, box: [20, 7, 80, 25] }] : [],
      outline: [],
    },
    inks,
  );
}

describe("a map's SVG", () => {
  it("has the picture of each row that is one, at its point and in its own shape", () => {
    const url = "data:image/png;base64,AA==";
    const svg = drawn(["a", "a"], "label", [{ image: {} as CanvasImageSource, width: 1, height: 0.5, url }, null]);
    expect(svg.match(/<image [^>]*>/g)).toEqual([
      `<image x="-14.0" y="-7.0" width="28.0" height="14.0" href="${url}"/>`,
    ]);
    expect(svg.match(/<path transform="translate/g)).toHaveLength(1 + 1);
  });

  it("has axes only where they mean something", () => {
    expect(drawn(["a"])).toContain('<path d="M200.0 0V300M0 150.0H400"');
    expect(drawn(["a"], "label", null, [], null)).not.toContain("V300M0");
  });

  it("has the groups' names where they were placed, readable over points", () => {
    const [title] = drawn(["named"]).match(/<text [^>]*text-anchor="middle"[^>]*>[^<]*/) ?? [];
    expect(title).toMatch(/^<text x="50\.0" y="20\.0" .*stroke="#ffffff" .*fill="#000000">goal &lt;1&gt;$/);
    expect(drawn(["a"])).not.toContain("text-anchor");
  });

  it("joins the question with its nearest rows", () => {
    const hits = [
      { at: 0, score: 0.5 },
      { at: 1, score: 0.5 },
    ];
    const svg = drawn(["a", "b"], "label", null, hits);
    expect(svg).toContain('d="M5.0 2.5L0.0 0.0M5.0 2.5L10.0 5.0"');
    expect(svg).toContain("translate(5.0 2.5)");
    expect(drawn(["a", "b"])).not.toContain("translate(5.0 2.5)");
  });

  it("has every point in a colour that any program knows, its number, and a legend with every label", () => {
    const svg = drawn(["north", "in <out>", "north"]);
    expect(svg.match(/<path transform="translate/g)).toHaveLength(3 + 2);
    expect([...svg.matchAll(/fill="([^"]+)"/g)].every(([, fill]) => /^#[0-9a-f]{6}$/.test(fill ?? ""))).toBe(true);
    expect([...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
      "1",
      "2",
      "3",
      "north",
      "in &lt;out&gt;",
    ]);
    expect(svg).not.toContain("secret");
    expect(svg).toContain('translate(20.0 10.0)" fill="#111111"');
    expect(svg).toContain('translate(10.0 5.0)" fill="#222222"');
  });

  it("has the scale of a number in words, and grows with its legend", () => {
    const svg = drawn(["a", "bcdef"], "length");
    expect(svg).toContain(">15 characters</text>".replace("15", String("secret of bcdef".length)));
    expect(svg).toContain('height="332"');
    expect(drawn(Array.from({ length: 20 }, (_, at) => `label ${at}`))).toContain('height="512"');
  });
});
