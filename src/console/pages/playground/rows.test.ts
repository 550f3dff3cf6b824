import { describe, expect, it } from "vitest";
import { guessFormat, parseRows } from "../../vectors/parse-rows.ts";
import { flagRows, groupsOf, makeRow } from "./rows.ts";
import { cutAt, estimateTokens, splitText } from "../../vectors/tokens.ts";

describe("what a paste is", () => {
  it("is told by a file's name, and otherwise by how it begins", () => {
    expect(guessFormat("anything", "texts.CSV")).toBe("csv");
    expect(guessFormat('{"text": "a"}\n{"text": "b"}', "")).toBe("jsonl");
    expect(guessFormat("one\ta\ntwo\tb", "")).toBe("tsv");
    expect(guessFormat("text,label\nhello,greeting", "")).toBe("csv");
    expect(guessFormat("Hello, world\nFirst, second", "")).toBe("lines");
  });
});

describe("reading rows", () => {
  it("takes a line as it is, and keeps empty ones between others to be flagged", async () => {
    const { rows } = await parseRows("one\r\n\r\nthree\n\n", "lines");
    expect(rows.map(({ text }) => text)).toEqual(["one", "", "three"]);
  });

  it("finds the columns of a CSV, quotes and line breaks inside of cells included", async () => {
    const parsed = await parseRows('label,text\n"a","one, two"\n"b","three\nfour"\n', "csv");
    expect(parsed).toMatchObject({ columns: ["label", "text"], text: "text", group: "label", unreadable: 0 });
    expect(parsed.rows).toEqual([
      { text: "one, two", group: "a", tokens: 2 },
      { text: "three\nfour", group: "b", tokens: 3 },
    ]);
  });

  it("takes the columns that were chosen, and goes by place where there is no head", async () => {
    const parsed = await parseRows("1\tred\n2\tblue\n", "tsv", { text: "column 2", group: "" });
    expect(parsed.columns).toEqual(["column 1", "column 2"]);
    expect(parsed.rows).toEqual([
      { text: "red", group: "", tokens: 1 },
      { text: "blue", group: "", tokens: 1 },
    ]);
  });

  it("reads a table whose head has other names, once it is said to be one, with any of the usual delimiters", async () => {
    const pasted = "utterance;purpose\nwhere is it;tracking\nit is broken;damage\n";
    expect(guessFormat(pasted, "")).toBe("lines");
    expect(await parseRows(pasted, "csv")).toMatchObject({ columns: ["column 1", "column 2"], headed: false });
    const headed = await parseRows(pasted, "csv", { text: "utterance", group: "purpose", headed: true });
    expect(headed.rows.map(({ text, group }) => [text, group])).toEqual([
      ["where is it", "tracking"],
      ["it is broken", "damage"],
    ]);
    // columns that were chosen with the head are not there without it
    const bare = await parseRows(pasted, "csv", { text: "utterance", group: "purpose", headed: false });
    expect(bare).toMatchObject({ text: "column 1", group: "" });
    expect(bare.rows).toHaveLength(3);
  });

  it("counts the lines of a JSONL file that are none", async () => {
    const parsed = await parseRows('{"text":"a","topic":3}\nnot json\n{"text":"b"}', "jsonl");
    expect(parsed.rows).toEqual([
      { text: "a", group: "3", tokens: 1 },
      { text: "b", group: "", tokens: 1 },
    ]);
    expect(parsed.unreadable).toBe(1);
  });
});

describe("one JSON array", () => {
  it.each([
    ["of texts", '["one", "two"]', ["one", "two"]],
    ["of objects, over several lines", '[\n{"input": "one"},\n{"input": "two"}\n]', ["one", "two"]],
  ])("%s is as many rows as it has elements", async (_, text, rows) => {
    expect(guessFormat(text, "texts.json")).toBe("jsonl");
    const parsed = await parseRows(text, "jsonl");
    expect(parsed.rows.map((row) => row.text)).toEqual(rows);
    expect(parsed.unreadable).toBe(0);
  });

  it.each(["[1] a footnote", "[1, 2]", "[see below]"])("is not %s, which is a line", (text) =>
    expect(guessFormat(text, "")).toBe("lines"),
  );
});

describe("flags and groups", () => {
  it("flag what is empty and what stands further up", () => {
    const rows = [makeRow("a"), makeRow(" "), makeRow("b"), makeRow("a"), makeRow("a", "", "query"), makeRow("a ")];
    const { empty, repeats } = flagRows(rows);
    expect([...empty]).toEqual([rows[1]?.id]);
    expect([...repeats]).toEqual([
      [rows[3]?.id, 1],
      [rows[4]?.id, 1],
    ]);
    // as an input_type or a prefix makes two inputs of it
    expect([...flagRows(rows, true).repeats]).toEqual([[rows[3]?.id, 1]]);
  });

  it("keep the order of their first row", () =>
    expect(groupsOf([makeRow("", "b"), makeRow("", ""), makeRow("", "a"), makeRow("", "b")])).toEqual(["b", "a"]));
});

describe("estimated tokens", () => {
  it("are a quarter of the letters, and one for each sign of a script without spaces", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("container held")).toBe(4);
    expect(estimateTokens("税関検査")).toBe(4);
  });

  it("say where a text is cut, and cut it into parts that overlap", () => {
    const text = "word ".repeat(40).trim();
    expect(cutAt(text, 10)).toBe(40);
    expect(cutAt("short", 10)).toBe(5);
    const parts = splitText(text, 10, 2);
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) expect(estimateTokens(part)).toBeLessThanOrEqual(10);
    expect(parts.join(" ").length).toBeGreaterThan(text.length);
    expect(splitText("short", 10, 2)).toEqual(["short"]);
  });
});
