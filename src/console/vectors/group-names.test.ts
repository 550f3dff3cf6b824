import { expect, it } from "vitest";
import { groupNames } from "./group-names.ts";

function named(...groups: (readonly string[])[]): string[] {
  const texts = groups.flat();
  const of = Uint8Array.from(groups.flatMap((rows, group) => rows.map(() => group)));
  const names = groupNames(Int32Array.from(texts.keys()), of, groups.length, (row) => texts[row] ?? "");
  return names.map((words) => words.join(" "));
}
const times = (count: number, text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at));

it("a group's name is the words that its rows have and others have not, the most distinctive first", () => {
  const football = times(10, (at) => (at < 6 ? "the keeper saved a goal" : "the keeper ran"));
  // keeper: 10 of 10 against 0 of 10; saved, goal: 6 of 10; ran: 4 of 10, too few. What all have is none, nor are digits
  expect(
    named(
      football,
      times(10, (at) => `the oven number ${at}`),
    ),
  ).toEqual(["keeper saved goal", "number oven"]);
});

it("a name is by the log-odds in standard errors: of 100 differences by chance 97.5 stand beside none that is more", () => {
  const filler = (at: number) => `w${"abcdefghijklmnopqrst"[at]}`;
  // 4 of 20 against 0 of 20: ln(4.5/16.5) - ln(0.5/20.5) = 2.414, error sqrt(1/4.5 + 1/16.5 + 2 + 1/20.5) = 1.527: 1.58
  const both = times(20, (at) => `${at < 4 ? "goal" : filler(at)}${at < 10 ? " keeper" : ""}`);
  expect(named(both, times(20, filler))[0]).toBe("keeper");
  // 7 of 20: ln(7.5/13.5) + 3.714 = 3.126, error sqrt(1/7.5 + 1/13.5 + 2 + 1/20.5) = 1.502: 2.08
  const seven = times(20, (at) => (at < 7 ? "goal" : filler(at)));
  expect(named(seven, times(20, filler))[0]).toBe("goal");
  // among few rows, what at least half of them share: 2 of 2 against 0 of 3: ln(2.5/0.5) - ln(0.5/3.5) = 3.555, error
  // sqrt(1/2.5 + 2 + 2 + 1/3.5) = 2.165: 1.64
  expect(
    named(
      times(2, () => "red red"),
      times(3, () => "blue blue blue"),
    ),
  ).toEqual(["red", "blue"]);
});

it("a name is, where nothing is that distinctive, the two words that are most so; without any there is none", () => {
  const word = (at: number) => ["goal", "bread", "star", "bond"][at % 4];
  const mixed = times(78, (at) => `${word(at)} ${at < 2 ? "oven" : ""} w${at}`);
  expect(
    named(
      mixed,
      times(60, (at) => `${word(at)} w${at + 100}`),
    )[0],
  ).toMatch(/^oven( \S+)?$/);
  const alike = times(20, () => "all of them say the same");
  expect(named(alike, alike)).toEqual(["", ""]);
  expect(groupNames(new Int32Array(), new Uint8Array(), 0, () => "")).toEqual([]);
  expect(
    named(
      times(5, () => ""),
      times(5, () => "12 34"),
    ),
  ).toEqual(["", ""]);
});

it("a word counts once a row, whatever its case, number and letters, and is shown in its usual form", () => {
  const shouting = times(8, (at) => (at === 0 ? "Goal ".repeat(100) : at % 2 ? "GOALS and goal" : "goals, goal!"));
  const bread = times(8, () => "bread");
  expect(named(shouting, bread)[0]).toBe("goals");
  expect(named(["zebra zebra zebra", ...times(7, () => "x")], bread)[0]).toBe("");
  const texts = ["المفتاح في الباب", "ключ лежит дома", "我们喜欢吃面包"];
  const names = named(...texts.map((text) => times(8, () => text)));
  for (const [at, word] of ["المفتاح", "ключ", "面包"].entries()) expect(names[at]?.split(" ")).toContain(word);
});
