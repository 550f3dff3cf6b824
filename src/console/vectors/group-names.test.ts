import { describe, expect, it } from "vitest";
import { groupNames } from "./group-names.ts";

function named(groups: readonly (readonly string[])[]): string[][] {
  const texts = groups.flat();
  const of = Uint8Array.from(groups.flatMap((rows, group) => rows.map(() => group)));
  return groupNames(Int32Array.from(texts.keys()), of, groups.length, (row) => texts[row] ?? "");
}
const times = (count: number, text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at));

describe("a group's name", () => {
  it("is the words that its rows have and others have not, most distinctive first; what all have is none", () => {
    const football = times(10, (at) => (at < 6 ? "the keeper saved a goal" : "the keeper ran"));
    const bread = times(10, (at) => `the oven number ${at}`);
    // keeper: 10 of 10 against 0 of 10; saved, goal: 6 of 10; ran: 4 of 10, too few. Digits are no words
    expect(named([football, bread])).toEqual([
      ["keeper", "saved", "goal"],
      ["number", "oven"],
    ]);
  });

  it("is by the log-odds in standard errors: of 100 differences by chance 97.5 stand beside none that is more", () => {
    const filler = (at: number) => `w${"abcdefghijklmnopqrst"[at]}`;
    const group = (having: number) => times(20, (at) => (at < having ? "goal" : filler(at)));
    // 4 of 20 against 0 of 20: ln(4.5/16.5) - ln(0.5/20.5) = 2.414, error sqrt(1/4.5 + 1/16.5 + 2 + 1/20.5) = 1.527: 1.58
    const both = times(20, (at) => `${at < 4 ? "goal" : filler(at)}${at < 10 ? " keeper" : ""}`);
    expect(named([both, times(20, filler)])[0]).toEqual(["keeper"]);
    // 7 of 20: ln(7.5/13.5) + 3.714 = 3.126, error sqrt(1/7.5 + 1/13.5 + 2 + 1/20.5) = 1.502: 2.08
    expect(named([group(7), times(20, filler)])[0]).toEqual(["goal"]);
  });

  it("is, where nothing is that distinctive, the two words that are most so; without any there is none", () => {
    const mixed = times(78, (at) => `${["goal", "bread", "star", "bond"][at % 4]} ${at < 2 ? "oven" : ""} w${at}`);
    const other = times(60, (at) => `${["goal", "bread", "star", "bond"][at % 4]} w${at + 100}`);
    const [largest = []] = named([mixed, other]);
    expect(largest[0]).toBe("oven");
    expect(largest.length).toBeLessThanOrEqual(2);
    const alike = times(20, () => "all of them say the same");
    expect(named([alike, alike])).toEqual([[], []]);
  });

  it("among few rows is what at least half of them share", () => {
    // 2 of 2 against 0 of 3: ln(2.5/0.5) - ln(0.5/3.5) = 3.555, error sqrt(1/2.5 + 2 + 2 + 1/3.5) = 2.165: 1.64
    expect(named([times(2, () => "red red"), times(3, () => "blue blue blue")])).toEqual([["red"], ["blue"]]);
  });

  it("counts a word once a row, whatever its case and number, and has the usual form of it", () => {
    const shouting = times(8, (at) => (at === 0 ? "Goal ".repeat(100) : at % 2 ? "GOALS and goal" : "goals, goal!"));
    const [words = []] = named([shouting, times(8, () => "bread")]);
    expect(words).toEqual(["goals"]);
    expect(named([["zebra zebra zebra", ...times(7, () => "x")], times(8, () => "bread")])[0]).toEqual([]);
  });

  it("is found in languages with other letters, and in those that leave no spaces", () => {
    const [arabic, russian, chinese] = named([
      times(8, () => "المفتاح في الباب"),
      times(8, () => "ключ лежит дома"),
      times(8, () => "我们喜欢吃面包"),
    ]);
    expect(arabic).toContain("المفتاح");
    expect(russian).toContain("ключ");
    expect(chinese).toContain("面包");
  });

  it("of no rows, and of rows without texts, is none", () => {
    expect(groupNames(new Int32Array(), new Uint8Array(), 0, () => "")).toEqual([]);
    expect(named([times(5, () => ""), times(5, () => "12 34")])).toEqual([[], []]);
  });
});
