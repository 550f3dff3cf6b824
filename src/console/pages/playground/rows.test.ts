import { describe, expect, it } from "vitest";
import { guessFormat, parseRows } from "../../vectors/parse-rows.ts";
import { cutAt, estimateTokens, splitText } from "../../vectors/tokens.ts";
import { pasteRows, readAgain } from "./pasted-rows.ts";
import { flagRows, groupsOf, makeRow } from "./rows.ts";

const texts = (rows: readonly { text: string }[]) => rows.map(({ text }) => text);

it("a paste is told by its file's name, and otherwise by how it begins", () => {
  expect(guessFormat("anything", "texts.CSV")).toBe("csv");
  const told = { jsonl: '{"text": "a"}\n{"text": "b"}', tsv: "one\ta\ntwo\tb", csv: "text,label\nhello,greeting" };
  expect(Object.values(told).map((text) => guessFormat(text, ""))).toEqual(Object.keys(told));
  const lines = ["Hello, world\nFirst, second", "[1] a footnote", "[1, 2]", "[see below]"];
  expect(new Set(lines.map((text) => guessFormat(text, "")))).toEqual(new Set(["lines"]));
});

it("reading rows takes a line as it is, and keeps empty ones between others to be flagged", async () =>
  expect(texts((await parseRows("one\r\n\r\nthree\n\n", "lines")).rows)).toEqual(["one", "", "three"]));

it("reading rows finds the columns of a CSV, quotes and line breaks inside of cells included", async () => {
  const parsed = await parseRows('label,text\n"a","one, two"\n"b","three\nfour"\n', "csv");
  expect(parsed).toMatchObject({ columns: ["label", "text"], text: "text", group: "label", unreadable: 0 });
  const [one, other] = [
    { text: "one, two", group: "a", tokens: 2 },
    { text: "three\nfour", group: "b", tokens: 3 },
  ];
  expect(parsed.rows).toMatchObject([one, other]);
});

it("reading rows takes the columns that were chosen, and goes by place where there is no head", async () => {
  const parsed = await parseRows("1\tred\n2\tblue\n", "tsv", { text: "column 2", group: "" });
  expect(parsed.columns).toEqual(["column 1", "column 2"]);
  expect(parsed.rows).toMatchObject(
    ["red", "blue"].map((text, at) => ({ text, group: "", tokens: 1, fields: { "column 1": String(at + 1) } })),
  );
});

it("reading rows reads a table whose head has other names, once it is said to be one, with any of the usual delimiters", async () => {
  const pasted = "utterance;purpose\nwhere is it;tracking\nit is broken;damage\n";
  expect(guessFormat(pasted, "")).toBe("lines");
  expect(await parseRows(pasted, "csv")).toMatchObject({ columns: ["column 1", "column 2"], headed: false });
  const columns = { text: "utterance", group: "purpose" };
  const headed = await parseRows(pasted, "csv", { ...columns, headed: true });
  const read = headed.rows.map(({ text, group }) => `${text}: ${group}`);
  expect(read).toMatchObject(["where is it: tracking", "it is broken: damage"]);
  // columns that were chosen with the head are not there without it
  const bare = await parseRows(pasted, "csv", { ...columns, headed: false });
  expect(bare).toMatchObject({ text: "column 1", group: "", rows: { length: 3 } });
});

it.each([
  ["lines, of which some are none", '{"text":"a","topic":3}\nnot json\n{"text":"b"}', ["a", "b"], 1],
  ["one array of texts", '["one", "two"]', ["one", "two"], 0],
  ["one array of objects, over several lines", '[\n{"input": "one"},\n{"input": "two"}\n]', ["one", "two"], 0],
])("reading rows reads JSON: %s", async (_, text, rows, unreadable) => {
  expect(guessFormat(text, "texts.json")).toBe("jsonl");
  const parsed = await parseRows(text, "jsonl");
  expect([texts(parsed.rows), parsed.unreadable]).toMatchObject([rows, unreadable]);
  if (unreadable === 1) expect(parsed.rows[0]).toMatchObject({ text: "a", group: "3", tokens: 1 });
});

describe("a paste that is read by another column", () => {
  const csv = "text,answer,label\nask one,say one,a\nask two,say two,b\nask three,say three,a\n";
  const answers = (group: string) => parseRows(csv, "csv", { text: "answer", group });
  async function pasted() {
    const { rows, taken } = pasteRows(await parseRows(csv, "csv"));
    return { rows: [makeRow("mine one"), ...rows, makeRow("mine two", "own", "query")], taken };
  }

  it("leaves the rows around it as they are", async () => {
    const { rows, taken } = await pasted();
    const again = readAgain(rows, taken, await answers("label"));
    expect(texts(again.rows)).toMatchObject(["mine one", "say one", "say two", "say three", "mine two"]);
    expect(again.rows.at(-1)).toMatchObject({ group: "own", role: "query" });
  });

  it("keeps what was edited, labelled, asked as a query and removed meanwhile", async () => {
    const { rows, taken } = await pasted();
    const [own, one, two, , last] = rows;
    if (!own || !one || !two || !last) throw new Error("The paste has three rows");
    const edited = [own, { ...one, text: "ask one, edited" }, { ...two, group: "c", role: "query" as const }, last];
    const again = readAgain(edited, taken, await answers(""));
    expect(texts(again.rows)).toMatchObject(["mine one", "ask one, edited", "say two", "mine two"]);
    const labels = again.rows.map(({ group, role }) => `${group} ${role}`);
    expect(labels).toMatchObject([" document", " document", "c query", "own query"]);
    // and once more: an edit is not taken for what was read
    const back = readAgain(again.rows, again.taken, await parseRows(csv, "csv"));
    expect(texts(back.rows)).toMatchObject(["mine one", "ask one, edited", "ask two", "mine two"]);
  });

  it("is put in anew, in its place, where it comes to another number of rows", async () => {
    const { rows, taken } = await pasted();
    const again = readAgain(rows, taken, await parseRows(csv, "lines"));
    expect(texts(again.rows)).toMatchObject(["mine one", ...csv.trim().split("\n"), "mine two"]);
    expect(again.taken.ids).toHaveLength(4);
  });
});

it("what is empty and what stands further up is flagged, and labels keep the order of their first row", () => {
  const rows = [makeRow("a"), makeRow(" "), makeRow("b"), makeRow("a"), makeRow("a", "", "query"), makeRow("a ")];
  const { empty, repeats } = flagRows(rows);
  const [, second, , fourth, fifth] = rows.map(({ id }) => id);
  expect([[...empty], Object.fromEntries(repeats)]).toMatchObject([
    [second],
    { [Number(fourth)]: 1, [Number(fifth)]: 1 },
  ]);
  // as an input_type or a prefix makes two inputs of it
  expect([...flagRows(rows, true).repeats]).toMatchObject([[fourth, 1]]);
  expect(groupsOf([makeRow("", "b"), makeRow("", ""), makeRow("", "a"), makeRow("", "b")])).toMatchObject(["b", "a"]);
});

it("estimated tokens are a quarter of the letters, or one for each sign without spaces, and say where to cut a text", () => {
  expect(["", "container held", "税関検査"].map(estimateTokens)).toMatchObject([0, 4, 4]);
  const text = "word ".repeat(40).trim();
  expect([cutAt(text, 10), cutAt("short", 10)]).toMatchObject([40, 5]);
  const parts = splitText(text, 10, 2);
  expect(parts.length).toBeGreaterThan(5);
  for (const part of parts) expect(estimateTokens(part)).toBeLessThanOrEqual(10);
  expect(parts.join(" ").length).toBeGreaterThan(text.length);
  expect(splitText("short", 10, 2)).toMatchObject(["short"]);
});
